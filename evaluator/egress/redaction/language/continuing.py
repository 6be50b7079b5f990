"""Which words go on after a label that a preposition leads in, and are no value: `with password protection`. Pure.

In `with password gingerale` nothing but the word itself says that it is the password, so more words are excluded here
than in `sentences`: nouns that make a compound with the label, whose secret it is, and forms of verbs and adjectives.
"""

from __future__ import annotations

from functools import cache

from evaluator.egress.redaction.language.sentences import goes_on, is_abstract, is_listed
from evaluator.egress.redaction.patterns import compiled

_CONTINUES = {
    "en": """
        auth authn authz login logins logout signin signup grant grants generator generators
        generation store stores
        managers hasher hashers hashes checker checkers meter meters box boxes fields forms prompts
        hints inputs dialogs
        resets policies inspector vaults wall gate lock locks guard guards leak leaks breach
        breaches dump dumps crack
        cracker crackers cracking spray sprayer sprays attack attacks brute guess guesses screen
        screens pages links
        tokens pair pairs combo combos combination based less only free protected file files filter
        filters entries
        encoder encoders encryptor strategy strategies provider providers service services backend
        backends client
        clients tool tools library libraries api apis sdk cli gui ui ux app apps database databases
        table columns cache
        caches sync synchronisation synchronization recovery retrieval lifecycle endpoint endpoints
        route routes handler
        handlers helper helpers util utils class classes logic code codes change changes update
        updates reuse history
        expiration expiry age length complexity strength score entropy salt salting pepper masking
        mask redaction
        exchange introspection bucket buckets limiter limits budget budgets usage counts counter
        window stream streams
        bearer header budget rotation renewal revocation issuance refresh introspection scanner
        scanners scan scans
        alice bob user users owner owners root admin master default guest sudo personal shared again
        twice instead
        anyway somewhere manually directly correctly properly here there older newer shorter longer than equal
        autofill autocomplete suggestion suggestions toggle toggles icon icons eye label labels placeholder
        visibility matcher mismatch typo typos boundary embedding classification bundle rules regex
        sequence sequences
        tests mock mocks stub stubs fixture fixtures spec specs
        came comes came got gave went saw sent works worked broke
        """,
    "de": """
        manager generator tresor feld felder eingabe eingabefeld abfrage schutz richtlinie
        richtlinien rücksetzung reset
        hash datei dateien liste wechsel dialog maske formular prüfung stärke länge login anmeldung
        benutzer nutzer
        funktioniert klappt geht ging kommt kommst komme gibt wurde bin bist melde melden logge
        probiere versuche
        einmal zweimal erneut selbst danach direkt daran drauf rein raus wieder beides zusammen anlegen
        ändern setzen eingeben einloggen anmelden speichern
        root admin standardmäßig allein alleine
        """,
    "fr": """
        administrateur admin root utilisateur principal maître wifi
        actuel actuelle habituel initial original final local
        général normal unique provisoire temporaire personnel suivant correspondant existant courant
        précédent récent choisi fourni
        saisi défini reçu connu prévu perdu inconnu complexe simple fort faible vide haché chiffré oublié
        applicatif aléatoire générique invalide valide seul seulement seule même associé stocké puis
        fonctionne marche
        expire requis obligatoire standard système
        """,
    "es": """
        administrador administradora admin root maestra maestro usuario principal actual habitual
        inicial original final
        local general normal única único provisional temporal personal siguiente correspondiente
        existente corriente
        anterior reciente compleja simple fuerte débil vacía hasheada cifrada olvidada aleatoria genérica válida
        inválida sola igual asociada guardada funciona caduca expira antigua nueva wifi maestra vieja correcta
        incorrecta errónea equivocada predeterminada
        """,
    "pt": """
        administrador admin root mestra mestre usuário utilizador principal atual habitual inicial
        original final local
        geral normal única único provisória temporária pessoal seguinte correspondente existente
        corrente anterior
        recente complexa simples forte fraca vazia errada certa padrão criptografada esquecida
        aleatória genérica
        válida inválida sozinha associada guardada salva funciona expira antiga nova wifi
        """,
    "it": """
        amministratore admin root maestra principale attuale abituale iniziale originale finale
        locale generale normale
        unica unico provvisoria temporanea personale seguente corrispondente esistente corrente
        precedente recente
        complessa semplice forte debole vuota sbagliata giusta predefinita cifrata dimenticata
        casuale generica valida
        errata associata salvata funziona scade vecchia nuova wifi utente
        """,
}
"""Lower case."""

_SHAPES = {
    "en": r"[a-z]{3,}(?:ator|ators|izer|izers|ing|ings|ments?|tions?)",
    "de": r"[a-zäöüß]{2,}(?:en|ern|eln|iert|bar|lich|isch|test)|ge[a-zäöüß]{3,}(?:t|en)",
    "fr": r"[a-zà-ÿ]{3,}(?:é|és|ée|ées|er|ir|teur|uel|uelle)",
    "es": r"[a-zà-ÿ]{2,}(?:ar|er|ir|ados?|idos?|adas?|idas?|ador|adora)",
    "pt": r"[a-zà-ÿ]{2,}(?:ar|er|ir|ados?|idos?|adas?|idas?|ador|adora|ção)",
    "it": r"[a-zà-ÿ]{2,}(?:are|ere|ire|at[aoei]|it[aoei]|ut[aoei]|zione)",
}
"""Endings of verbs, participles and makers of things."""


@cache
def _words() -> frozenset[str]:
    return frozenset(word for words in _CONTINUES.values() for word in words.split())


def _singulars(word: str) -> tuple[str, ...]:
    """What an Italian plural may be of: `errate`, `lunghe`, `semplici`."""
    if len(word) < 5 or word[-1] not in "ei":
        return ()
    stem = word[:-2] if word[-2] == "h" else word[:-1]
    return (f"{stem}a",) if word[-1] == "e" else (f"{stem}o", f"{stem}e")


def continues(value: str, languages: tuple[str, ...]) -> bool:
    """Whether the value is a word that goes on after a label; the forms of verbs are those of these languages."""
    lowered = value.lower().strip(".,:;!?()[]{}\"'`*_")
    if goes_on(value) or is_abstract(value) or lowered in _words():
        return True
    parts = compiled("[-_/]").split(lowered)
    if len(parts) > 1 and not any(map(str.isdigit, lowered)) and parts[-1] in _words():
        return True
    if lowered.endswith("s") and goes_on(lowered[:-1]):
        return True
    if any(is_listed(one) or one in _words() for one in _singulars(lowered)):
        return True
    return value.islower() and any(
        compiled(_SHAPES[language]).fullmatch(value) for language in languages if language in _SHAPES
    )
