import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import addressparser from 'nodemailer/lib/addressparser'
import type { SMTPTransportOptions } from 'nodemailer/lib/smtp-transport'
import { Email } from '../../../contract/areas/account.ts'
import { isNameLine } from '../../../contract/messages/one-line.ts'
import { StartProblem } from '../../../host/start-problem.ts'
import { isLoopback } from '../../base/host.ts'

export interface SmtpFlags {
  /** `smtp://USER@HOST:PORT` (STARTTLS) or `smtps://USER@HOST:PORT` (implicit TLS). */
  url: string
  /** An address, or `Name <address>`. */
  from: string | undefined
  password: string | undefined
  /** PEM file with an extra CA. */
  caFile: string | undefined
}

export interface SmtpSettings {
  transport: SMTPTransportOptions
  from: string
  server: string
}

/** RFC 8314. */
const PORTS: Record<string, number> = { 'smtp:': 587, 'smtps:': 465 }
/** In ms. Nodemailer's defaults are minutes. */
const LIMITS = {
  dnsTimeout: 10_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 30_000,
  socketCloseTimeout: 1000,
  maxResponseSize: 64 * 1024,
}

/** Requires encryption unless the mail server is local: codes are as good as passwords. Throws StartProblem. */
export function smtpSettings({ url, from, password, caFile }: SmtpFlags): SmtpSettings {
  const at = URL.canParse(url) ? new URL(url) : null
  const standard = PORTS[at?.protocol ?? '']
  if (!at?.hostname || standard === undefined || (at.pathname !== '' && at.pathname !== '/') || at.search) {
    throw new StartProblem(
      'arguments',
      '--smtp must be an address such as smtp://user@mail.example.org:587 or smtps://user@mail.example.org:465.',
    )
  }
  if (at.password) {
    throw new StartProblem(
      'arguments',
      'Every user of this computer can read a password in the command line. Put it into WHEELHOUSE_SMTP_PASSWORD ' +
        'instead, and leave it out of --smtp.',
    )
  }
  const user = decodeURIComponent(at.username)
  if (user !== '' && password === undefined) {
    throw new StartProblem(
      'arguments',
      '--smtp names a user, but there is no password for it. Put it into WHEELHOUSE_SMTP_PASSWORD.',
    )
  }
  const host = at.hostname.replace(/^\[(.*)\]$/, '$1')
  const port = at.port === '' ? standard : Number(at.port)
  const secure = at.protocol === 'smtps:'
  const stays = isLoopback(host)
  return {
    transport: {
      ...LIMITS,
      host,
      port,
      secure,
      requireTLS: !secure && !stays,
      // Local mail programs offer STARTTLS with self-signed certificates.
      ignoreTLS: !secure && stays,
      tls: {
        ...(caFile !== undefined && { ca: authority(caFile) }),
        ...(isIP(host) === 0 && { servername: host }),
      },
      ...(user !== '' && { auth: { user, pass: password } }),
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    from: sender(from),
    server: `${at.hostname}:${port}`,
  }
}

function sender(given: string | undefined): string {
  const isLine = given !== undefined && isNameLine(given)
  const [first, ...more] = isLine ? addressparser(given, { flatten: true }) : []
  if (!first || more.length > 0 || !Email.safeParse(first.address).success) {
    throw new StartProblem(
      'arguments',
      '--smtp needs --mail-from with the address that mails are from, such as "Wheelhouse <panel@example.org>".',
    )
  }
  return first.name ? `"${first.name.replaceAll(/["\\]/g, '')}" <${first.address}>` : first.address
}

function authority(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new StartProblem('tls-not-readable', `${file} (--smtp-ca) cannot be read.`, { cause: error })
  }
}
