/* What a C++ program asks of its runtime and Zig's does not have for wasm32-wasi. */

/* The tag of C++ exceptions, as LLVM's code throws and catches them. */
__asm__(".tagtype __cpp_exception i32\n.globl __cpp_exception\n__cpp_exception:\n");

/* The only thread never ends, so nothing of it is destroyed. */
int __cxa_thread_atexit(void (*destroy)(void*), void* object, void* library);
int __cxa_thread_atexit(void (*destroy)(void*), void* object, void* library) {
  (void)destroy;
  (void)object;
  (void)library;
  return 0;
}
