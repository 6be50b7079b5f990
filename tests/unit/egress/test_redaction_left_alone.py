"""What redaction leaves alone: references, types, placeholders, prose, hashes, code about keys."""

from __future__ import annotations

import random

from corpora import corpus
from samples.secret_samples import ALNUM, BASE64, LOWER_HEX, drawn, uuid

from evaluator.egress.redaction import redact

DRAW = random.Random(20_240_601)

LEFT_ALONE = """\
password = os.environ["DB_PASSWORD"]
password = getpass.getpass()
password=password
self.password = password
user.password = hash(password)
const { password } = req.body
password: req.body.password,
password: z.string().min(8),
password: string
password?: string;
password: str | None = None
def login(user: str, password: str) -> Token:
def __init__(self, api_key: str, base_url: str = 'https://api.x.test')
password: ${{ secrets.DB_PASSWORD }}
password: {{ .Values.db.password }}
password=${DB_PASSWORD}
--password "$PW"
mysql -u root -p$MYSQL_PWD shop
mysql -u root -p shop
curl -u "$USER:$PASS" https://x.test
Authorization: Bearer $TOKEN
Authorization: Bearer <token>
API_KEY=<your-api-key>
API_KEY=your_api_key_here
API_KEY=
password: ********
postgres://localhost:5432/app
postgres://user:${PW}@host/db
postgres://{user}:{pw}@{host}/db
postgres://user:password@localhost/db
https://github.com/org/repo
git@github.com:org/repo.git
secretName: tls-cert
secretKeyRef:\\n  name: app-secrets\\n  key: db-password
password VARCHAR(255) NOT NULL
UPDATE users SET password = crypt($1, gen_salt('bf'))
Password must be at least 12 characters
Forgot your password?
the password is wrong
rename password to passphrase
Change the token lifetime to 3600 seconds
use password hashing with bcrypt, cost 12
Please fix the password reset flow; the token expires too early.
max_tokens: 4096
pad_token='[PAD]'
primary_key=True
cache_key = f'user:{id}'
CancellationToken token = default;
const token = await getToken()
token = secrets.token_hex(32)
tokenizer = AutoTokenizer.from_pretrained('bert-base-uncased')
import { useAuth } from './auth'
"credentials": "same-origin"
Bearer token authentication is required
Use Basic authentication
git commit -m 'Fix password reset'
src/auth/token_refresh.py
tests/test_password_policy.py::test_min_length
["password", "secret", "token"]
<label for="password">Password</label>
{"type": "password"}
errors.password = 'Too short'
Set ANTHROPIC_API_KEY in your environment
print(f'password: {password}')
logger.info('token: %s', token)
/reset?token={token}
if line.startswith('-----BEGIN RSA PRIVATE KEY-----'):
grep -rE 'gh[ps]_[A-Za-z0-9]{36}' .
op://vault/item/password
arn:aws:secretsmanager:us-east-1:123456789012:secret:prod/db-AbCdEf
compass: proceed
""".splitlines()


@corpus("text", LEFT_ALONE)
def test_references_types_placeholders_and_prose_are_left_alone(text: str) -> None:
    text = text.replace("\\n", "\n")
    assert redact(text) == text


@corpus(
    "form",
    [
        "commit @@", "sha256:@@", '"integrity": "sha512-@@=="', 'checksum = "@@"', "dist/main.@@.js", "ETag: W/@@",
        "docker.io/library/x@sha256:@@", "trace_id=@@", "--hash=sha256:@@", "index @@..@@ 100644",
        "ssh-rsa AAAAB3NzaC1yc2E@@ me@host", "data:image/png;base64,@@",
    ],
)  # fmt: skip
@corpus("value", [drawn(DRAW, LOWER_HEX, 40), drawn(DRAW, LOWER_HEX, 64), uuid(DRAW), drawn(DRAW, ALNUM, 86)])
def test_random_values_without_a_telling_name_are_left_alone(form: str, value: str) -> None:
    text = form.replace("@@", value)
    assert redact(text) == text


def test_code_about_keys_is_left_alone() -> None:
    dashes = "-" * 5
    for text in (
        f'key = f"{dashes}BEGIN PRIVATE KEY{dashes}\\n{{body}}\\n{dashes}END PRIVATE KEY{dashes}"',
        f"{dashes}BEGIN RSA PRIVATE KEY{dashes}\n...\n{dashes}END RSA PRIVATE KEY{dashes}",
        f"{dashes}BEGIN CERTIFICATE{dashes}\n{drawn(DRAW, BASE64, 64)}\n{dashes}END CERTIFICATE{dashes}",
    ):
        assert redact(text) == text
