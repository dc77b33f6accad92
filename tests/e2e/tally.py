"""Small checks that tell what is wrong and go on, and a status at the end."""
_wrong = 0


def ok(what, good, *shown):
    """Is it so?  If not, "what" is told, and what was shown instead."""
    global _wrong
    if not good:
        _wrong += 1
        print('FAILED:', what, *shown)


def expect(what, got, want):
    ok(what, got == want, f'want {want!r}, got {got!r}')


def verdict():
    """The exit status of the test, which it ends with."""
    print(f'{_wrong} wrong' if _wrong else 'all well')
    return _wrong != 0
