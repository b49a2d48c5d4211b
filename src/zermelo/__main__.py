"""``python -m zermelo``: as the script ``zermelo``.

With ``-m`` Python looks into the working directory first. It is left out from here on; that
``zermelo`` itself, and what Python loads before, is not found there takes ``python -P -m zermelo``.
"""

import os
import sys

if not sys.flags.safe_path:
    try:
        if sys.path[0] == os.getcwd():
            del sys.path[0]
    except OSError:  # the directory is gone, and so Python could not add it
        pass

from zermelo.cli import main

main()
