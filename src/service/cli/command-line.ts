import path from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import { GOOGLE_ISSUER } from '../../contract/rules/sign-in.ts'
import { googleSettings } from '../hosting/accounts/google/settings.ts'
import { createLocalSecret } from '../hosting/accounts/local-secret.ts'
import { systemClock } from '../base/clock.ts'
import { createAccountFromTerminal } from './create-account.ts'
import { turnOffSecondFactorFromTerminal } from './turn-off-second-factor.ts'
import { FIRST_GAME_PORT } from '../base/host.ts'
import { type EngineFlags, engineSettings, withEngine } from './engine-flags.ts'
import { readCatalogSettings, withNamed } from '../software/catalogs/settings.ts'
import { smtpSettings } from '../hosting/mail/smtp-settings.ts'
import { askParent, fromParent, parentChannel, type ParentChannel } from './parent.ts'
import { startService, type RunningService, type ServiceOptions } from '../service.ts'
import { type ShutdownPhase, CrashHandler, endingSignals } from '../../host/crash-handler.ts'
import { StartProblem } from '../../host/start-problem.ts'

interface Flags extends EngineFlags {
  host: string
  port: number
  firstGamePort: number
  data: string
  allowRegistration?: boolean
  behindProxy?: boolean
  tlsCert?: string
  tlsKey?: string
  parent?: boolean
  memoryPerAccount?: number
  restic?: string
  serversPerAccount?: number
  node?: string
  parentProxy?: boolean
  catalogs: 'on' | 'off'
  catalog?: Record<string, string>
  createAccount?: string
  turnOffSecondFactor?: string
  smtp?: string
  smtpCa?: string
  mailFrom?: string
  googleClientId?: string
  googleIssuer: string
  publicUrl?: string
  maxFileBytes?: number
  quotaBytes?: number
  verbose?: boolean
  restoreBackup?: boolean
}

/** Last words on uncaught errors. A panel shows the last line. */
const said: Record<ShutdownPhase, string> = {
  'not-started': 'The service could not start because of an internal error. Please report it.',
  ending:
    'The service had an internal error and is shutting down. Its servers are stopped, and their worlds are saved first.',
  ended:
    'The service had an internal error and has shut down; its servers were stopped first. Its log says more.',
  'broken-off':
    'The service had an internal error and could not shut down cleanly: servers may still be running. They are stopped when it is started again. Its log says more.',
}

const DEFAULT_PORT = 8460

export async function runCommandLine(argv: readonly string[]): Promise<void> {
  // Files are for this user only.
  process.umask(0o077)
  if (argv[2] === 'promocodes') return promocodes(argv)
  const program = new Command('wheelhouse-service')
    .description('Runs Minecraft servers on this computer and provides the Hosting Control API v1.')
    .requiredOption('--data <folder>', 'folder for all data')
    .option('--host <address>', 'address to listen on; anything but loopback needs --tls-cert', '127.0.0.1')
    .option('--port <number>', 'port to listen on; 0 picks a free one', parsePort, DEFAULT_PORT)
    .addOption(
      new Option('--first-game-port <number>', 'first port for game servers; the next free ones follow')
        .env('WHEELHOUSE_FIRST_GAME_PORT')
        .argParser(parseGamePort)
        .default(FIRST_GAME_PORT),
    )
    .option('--allow-registration', 'let anyone who can reach the service create an account')
    .option(
      '--behind-proxy',
      'trust X-Forwarded-For from a reverse proxy on this computer; attempts are counted by that address',
    )
    .option('--tls-cert <file>', 'certificate (PEM)')
    .option('--tls-key <file>', 'private key of the certificate (PEM)')
    .addOption(
      new Option(
        '--smtp <url>',
        'mail server that mail is handed to, such as smtp://user@mail.example.org:587',
      ).env('WHEELHOUSE_SMTP'),
    )
    .addOption(new Option('--mail-from <address>', 'who mails are from').env('WHEELHOUSE_MAIL_FROM'))
    .option(
      '--smtp-ca <file>',
      "authority (PEM) of the mail server's certificate, if the system does not know it",
    )
    .option('--create-account <email>', 'create an account, reading its password from stdin, and exit')
    .option(
      '--turn-off-second-factor <email>',
      'turn off two-factor authentication of an account whose owner has lost it, and exit',
    )
    .option('--max-file-bytes <bytes>', 'maximum file size in bytes; unlimited by default', parseBytes)
    .option(
      '--quota-bytes <bytes>',
      'maximum size of each server in bytes, including its trash and unfinished uploads; unlimited by default',
      parseBytes,
    )
    .option('--servers-per-account <n>', 'servers each account may have; 100 by default', parseCount)
    .option('--memory-per-account <mb>', 'MB that the servers of an account may have together', parseCount)
    .option('--restic <file>', 'restic to keep backups with; otherwise that of PATH, or one that is fetched')
    .option('--parent', 'for programs that start the service over a channel')
    .option('--parent-proxy', 'with --parent: ask that program which proxy leads to an address')
    .option('--restore-backup', 'if the database cannot be read, restore its newest copy')
    .option('--verbose', 'also write the log to stderr')
  const flags = withEngine(withCatalogs(withGoogle(program)))
    .parse(argv)
    .opts<Flags>()
  const parent = flags.parent ? parentChannel() : null
  const lastResort = new CrashHandler({
    tell: (error, how) => {
      if (how === 'not-started')
        parent?.send({
          type: 'failed',
          code: 'internal',
          message: `${said[how]} ${error.message}`,
          values: {},
        })
      if (how === 'not-started') process.stderr.write(`${error.stack}\n`)
      process.stderr.write(`${said[how]}\n`)
    },
    exit: (code) => process.exit(code),
  })
  try {
    await workOf(flags, parent, lastResort)
  } catch (error) {
    if (!(error instanceof StartProblem)) return lastResort.meet(error)
    parent?.send({ type: 'failed', code: error.code, message: error.message, values: error.values })
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
    parent?.leave()
  }
}

async function workOf(
  flags: Flags,
  parent: ReturnType<typeof parentChannel> | null,
  lastResort: CrashHandler,
) {
  const { data, createAccount, turnOffSecondFactor } = flags
  if (createAccount !== undefined) return createAccountFromTerminal(data, createAccount)
  if (turnOffSecondFactor !== undefined) return turnOffSecondFactorFromTerminal(data, turnOffSecondFactor)
  return run(flags, parent, lastResort)
}

async function promocodes([node = '', file = '', , ...rest]: readonly string[]): Promise<void> {
  const { runPromocodes } = await import('./promocodes-terminal.ts')
  await runPromocodes([node, file, ...rest]).catch((error: unknown) => {
    if (!(error instanceof StartProblem)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  })
}

function parseCatalog(text: string, former?: Record<string, string>): Record<string, string> {
  try {
    return withNamed(text, former)
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : '')
  }
}

const withCatalogs = (program: Command): Command =>
  program
    .addOption(
      new Option(
        '--catalogs <on or off>',
        'whether server software may be downloaded from its makers’ catalogs',
      )
        .env('WHEELHOUSE_CATALOGS')
        .choices(['on', 'off'])
        .default('on'),
    )
    .option(
      '--catalog <name=address>',
      'reads a catalog at another address, such as that of a mirror; can be given for each',
      parseCatalog,
    )
    .option('--node <file>', 'Node executable for game servers that are written for Node')

/** The client secret is not a flag. */
const withGoogle = (program: Command): Command =>
  program
    .addOption(
      new Option('--google-client-id <id>', 'lets people sign in with Google, by the client of this ID').env(
        'WHEELHOUSE_GOOGLE_CLIENT_ID',
      ),
    )
    .addOption(
      new Option('--google-issuer <url>', 'another OpenID provider in place of Google')
        .env('WHEELHOUSE_GOOGLE_ISSUER')
        .default(GOOGLE_ISSUER),
    )
    .addOption(
      new Option('--public-url <url>', 'where browsers reach the service, if not where it listens').env(
        'WHEELHOUSE_PUBLIC_URL',
      ),
    )

async function run(flags: Flags, parent: ParentChannel | null, lastResort: CrashHandler): Promise<void> {
  if (flags.parent && !parent) {
    throw new StartProblem(
      'arguments',
      '--parent is for programs that start the service with a channel. Leave it out.',
    )
  }
  const localSecret = parent ? createLocalSecret(systemClock) : null
  const options: ServiceOptions = {
    dataDir: flags.data,
    host: flags.host,
    port: flags.port,
    firstGamePort: flags.firstGamePort,
    tls: tlsOf(flags),
    smtp: smtpOf(flags),
    google: googleOf(flags),
    allowRegistration: flags.allowRegistration ?? false,
    behindProxy: flags.behindProxy ?? false,
    localSecret,
    resolveProxy: parent && flags.parentProxy ? askParent(parent) : undefined,
    nodePath: flags.node ?? ownNode(),
    catalogs: flags.catalogs === 'on' ? await readCatalogSettings(flags.data, flags.catalog) : null,
    fileLimits: { maxFileBytes: flags.maxFileBytes ?? null, quotaBytes: flags.quotaBytes ?? null },
    memoryPerAccount: flags.memoryPerAccount ?? null,
    restic: flags.restic ?? null,
    engine: engineSettings(flags),
    ...(flags.serversPerAccount !== undefined && { bounds: { servers: flags.serversPerAccount } }),
    verbose: flags.verbose ?? false,
    restoreBackup: flags.restoreBackup ?? false,
  }
  const ending = onceToldToEnd()
  parent?.onGone(() => ending.end('the parent process is gone'))
  parent?.onMessage((raw) => {
    const message = fromParent(raw)
    if (message?.type === 'local-secret') localSecret?.give(message.secret)
    if (message?.type === 'stop') ending.end('the parent process says so', message.startAgain)
  })
  const service = await startService(options)
  lastResort.whenRunning({
    log: (error) => service.log.fatal({ err: error }, 'an error that nobody caught'),
    end: () => service.close(),
  })
  ending.serve(service)
  void service.replaced.then(() => ending.end('another computer goes on'))
  process.stdout.write(`Service: ${service.baseUrl}\n`)
  process.stdout.write(
    options.smtp
      ? `Mail is sent through ${options.smtp.server}; what could not be sent is in ${path.join(service.outboxDir, 'failed')}\n`
      : `Mail is not sent: it is written to ${service.outboxDir}\n`,
  )
  for (const sentence of service.found.sentences) process.stdout.write(`${sentence}\n`)
  const { restored, orphans, emptied, leftovers } = service.found
  parent?.send({ type: 'ready', baseUrl: service.baseUrl, restored, orphans, emptied, leftovers })
}

/** On a signal, or when the parent asks or is gone. A second time hurries. */
function onceToldToEnd() {
  let service: RunningService | null = null
  let told = 0
  const end = (why: string, startAgain = false) => {
    told += 1
    if (!service) return
    try {
      if (startAgain) service.startAgain()
    } catch (error) {
      // Stop anyway: an update must not wait for this.
      service.log.error({ err: error }, 'it could not be noted which servers are to be started again')
    }
    service.log.info({ why, told }, 'ending')
    service.close(told > 1).then(
      () => process.exit(),
      () => process.exit(1),
    )
  }
  for (const signal of endingSignals) process.on(signal, () => end(signal))
  return {
    end,
    serve(running: RunningService) {
      service = running
      if (told > 0) end('told while starting')
    },
  }
}

function tlsOf(flags: Flags): ServiceOptions['tls'] {
  if (!flags.tlsCert && !flags.tlsKey) return null
  if (flags.tlsCert && flags.tlsKey) return { certFile: flags.tlsCert, keyFile: flags.tlsKey }
  throw new StartProblem('arguments', 'TLS needs both a certificate (--tls-cert) and its key (--tls-key).')
}

/** The password comes from the environment, readable by this user only, and isn't passed to programs we start. */
function smtpOf({ smtp, mailFrom, smtpCa }: Flags): ServiceOptions['smtp'] {
  const password = process.env['WHEELHOUSE_SMTP_PASSWORD']
  delete process.env['WHEELHOUSE_SMTP_PASSWORD']
  return smtp === undefined ? null : smtpSettings({ url: smtp, from: mailFrom, password, caFile: smtpCa })
}

/** The client secret comes from the environment too. */
function googleOf({ googleClientId, googleIssuer, publicUrl }: Flags): ServiceOptions['google'] {
  const clientSecret = process.env['WHEELHOUSE_GOOGLE_CLIENT_SECRET']
  delete process.env['WHEELHOUSE_GOOGLE_CLIENT_SECRET']
  return googleSettings({ clientId: googleClientId, clientSecret, issuer: googleIssuer, publicUrl })
}

/** Empty inside Electron, which has no Node executable. */
const ownNode = (): string => (process.versions['electron'] ? '' : process.execPath)

function parsePort(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65535)
    throw new InvalidArgumentError('A port must be a number from 0 to 65535.')
  return port
}

function parseGamePort(text: string): number {
  const port = parsePort(text)
  if (port === 0)
    throw new InvalidArgumentError('The port of a game server must be a number from 1 to 65535.')
  return port
}

function parseCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number, at least 1.')
  return Number(text)
}

function parseBytes(text: string): number {
  const bytes = Number(text)
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw new InvalidArgumentError('It must be a whole number of bytes, at least 1.')
  return bytes
}
