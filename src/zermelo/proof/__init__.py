"""Certificates: writing them, reading them, and checking them without trust in what made them.

``run`` has verify(), from the first byte to the last; ``check`` decides for each record whether it
holds, by the rules in ``rules``; ``write`` makes certificates.
"""

from zermelo.proof.check import Report
from zermelo.proof.header import SEARCH, Claim
from zermelo.proof.run import verify
from zermelo.proof.write import CertificateWriter

__all__ = ["SEARCH", "CertificateWriter", "Claim", "Report", "verify"]
