"""The smallest request that still differs in the same way."""

from dataclasses import replace

from people import ADMIN, Credential

TRIES = 250


def sort_of(outcomes, kinds):
    return tuple(outcome.answer.status for outcome in outcomes), kinds


def credentials(pair, who):
    """Simpler ones, the simplest first."""
    yield Credential()
    yield pair.people.somebody([("*", "*", "allowed")])
    yield Credential(ADMIN)
    yield pair.people.somebody([])
    if who.certificate and (who.authorization is not None or who.subprotocols):
        yield Credential(who.certificate)
        yield replace(who, certificate=None)


def simpler(pair, ask):
    """Requests with one thing less."""
    if not ask.read_only:
        yield from (replace(ask, who=who) for who in credentials(pair, ask.who))
    elif ask.who != Credential():
        yield replace(ask, who=Credential())
    for n in range(len(ask.headers)):
        yield replace(ask, headers=ask.headers[:n] + ask.headers[n + 1:])
    if ask.body:
        yield replace(ask, body=b"")
        yield replace(ask, body=ask.body[:1])
    if ask.method != "GET":
        yield replace(ask, method="GET")
    path, mark, query = ask.target.partition("?")
    if mark:
        yield replace(ask, target=path)
        parts = query.split("&")
        yield from (replace(ask, target=path + "?" + "&".join(parts[:n] + parts[n + 1:]))
                    for n in range(len(parts)) if len(parts) > 1)
    length = len(ask.target) // 2
    while length:
        for begin in range(0, len(ask.target), length):
            yield replace(ask, target=ask.target[:begin] + ask.target[begin + length:])
        length //= 2


def shrunk(pair, ask, outcomes, kinds):
    """(request, outcomes, kinds, whether it takes what the kubelets remember): the request once more, as small as it gets."""
    sort = sort_of(outcomes, kinds)

    def again(candidate):
        fresh = replace(candidate, who=pair.people.stranger_like(candidate.who))
        outcomes, kinds = pair.ask(fresh)
        return (fresh, outcomes, kinds) if sort_of(outcomes, kinds) == sort else None

    found = again(ask) or again(replace(ask, who=pair.people.token_like(ask.who)))
    if not found:
        return ask, outcomes, kinds, True
    left, smaller = TRIES, True
    while smaller and left > 0:
        smaller = False
        for candidate in simpler(pair, found[0]):
            left -= 1
            if weight(candidate) < weight(found[0]) and (better := again(candidate)):
                found, smaller = better, True
                break
            if left <= 0:
                break
    return *found, False


def weight(ask):
    """What makes a request big: first who asks and what else it carries, then how long it is."""
    rank = 0
    if ask.who.certificate:
        rank = 1 if ask.who.certificate == ADMIN else 4
    if ask.who.token and ask.who.authorization == f"Bearer {ask.who.token}":
        rank += 2
    elif ask.who.authorization is not None or ask.who.subprotocols:
        rank += 6
    return rank + 2 * len(ask.headers) + (ask.method != "GET") + len(ask.body) + 2 * len(ask.target)
