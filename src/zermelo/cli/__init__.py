"""The command line: thin commands over the library."""

import re
import sys

BOARD = re.compile(r"-[-.*XOxo01]{8,}( [XOxo01])?(;.*)?")


def main() -> None:
    """Run the command line; bad input is one sentence and status 2."""
    from zermelo.cli.app import app
    from zermelo.errors import ZermeloError

    # A board may begin with "-", which would read as an option: a space in front keeps it a word.
    arguments = [f" {word}" if BOARD.fullmatch(word) else word for word in sys.argv[1:]]
    try:
        app(args=arguments)
    except ZermeloError as error:
        print(f"zermelo: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("zermelo: interrupted", file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
