"""Certificates: writing them, reading them, and checking them without trust in what made them."""

from zermelo.proof.claim import Claim
from zermelo.proof.header import SEARCH
from zermelo.proof.report import Report
from zermelo.proof.run import verify
from zermelo.proof.write import CertificateWriter

__all__ = ["SEARCH", "CertificateWriter", "Claim", "Report", "verify"]
