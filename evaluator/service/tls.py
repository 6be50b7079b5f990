"""A certificate that can be replaced while the service runs: connections that are there keep theirs."""

from __future__ import annotations

import ssl

from evaluator.errors import CompassError


class CertificateError(CompassError):
    """A certificate, or its key, cannot be used."""


class Certificate:
    """`context` is what a server listens with. Raises CertificateError."""

    def __init__(self, certificate: str, key: str) -> None:
        self._files = certificate, key
        self._current = self._read()
        self.context = self._read()
        # Called for each connection, also for one that names no server.
        self.context.sni_callback = self._chosen

    def reload(self) -> None:
        """From the same files, for connections from now on. Raises CertificateError; the former one holds then."""
        self._current = self._read()

    def _chosen(self, connection: ssl.SSLObject, _name: str | None, _outer: ssl.SSLContext) -> None:
        connection.context = self._current

    def _read(self) -> ssl.SSLContext:
        certificate, key = self._files
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        # A resumed session would go on with the certificate of before.
        context.num_tickets = 0
        context.options |= ssl.OP_NO_TICKET
        try:
            context.load_cert_chain(certificate, key, password=_no_password)
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise CertificateError(f"{certificate}, {key}: no certificate with its key: {why}") from error
        return context


def _no_password() -> str:
    """A key under a password would otherwise be asked for at the terminal. Raises ValueError."""
    raise ValueError("the key is encrypted; give one without a password, in a file of 0600")
