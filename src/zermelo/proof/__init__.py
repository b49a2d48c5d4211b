"""Certificates: writing them, reading them, and checking them without trust in what made them."""

from zermelo.proof.check import Report
from zermelo.proof.header import SEARCH, Claim
from zermelo.proof.run import verify
from zermelo.proof.write import CertificateWriter

__all__ = ["SEARCH", "CertificateWriter", "Claim", "Report", "verify"]
