import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, TestRunner, type RunnerTestCase } from 'vitest'
import { at } from '../../build/scripts/project.js'
import type { ServiceOptions } from './service.ts'

/** Whether tests talk to what is built: the project `built` of vitest.config.ts. Otherwise they do to the source. */
export const isBuilt = process.env['SERVICE_UNDER_TEST'] === 'built'

/** The file that is started where a test starts the service as a program. */
export const serviceEntry = isBuilt
  ? at('out/main/service.js')
  : fileURLToPath(new URL('./cli/main.ts', import.meta.url))

/** The services of tests hash cheaply, here as from the source; those that `start.test.ts` starts are as people's. */
const cheapHashes = pathToFileURL(at('tests/fixtures/cheap-hashes.js')).href

/** Leaves a test out where it holds what a program of its own cannot be given, such as a clock. */
export function fromSourceOnly(what: string): void {
  if (isBuilt)
    TestRunner.getCurrentTest<RunnerTestCase>().context.skip(`${what} cannot be given to a program`)
}

/** What can only be given within a process. */
const WITHIN = [
  'clock',
  'limits',
  'localSecret',
  'bounds',
  'management',
] as const satisfies (keyof ServiceOptions)[]

/** Starts what is built with these options, as its command line has them. Rejects with its words where it ends. */
export async function startBuiltService(options: ServiceOptions) {
  for (const name of WITHIN) if (options[name]) fromSourceOnly(`“${name}”`)
  const { dataDir, host, port = 0, tls, firstGamePort, fileLimits, allowRegistration, behindProxy } = options
  const { google, memoryPerAccount, catalogues } = options
  const given = (flag: string, value: string | number | null | undefined) =>
    value === undefined || value === null ? [] : [flag, String(value)]
  const child = spawn(
    process.execPath,
    [
      ...['--import', cheapHashes, serviceEntry],
      ...['--data', dataDir, '--port', String(port)],
      ...given('--host', host),
      ...given('--tls-cert', tls?.certFile),
      ...given('--tls-key', tls?.keyFile),
      ...given('--first-game-port', firstGamePort),
      ...given('--max-file-bytes', fileLimits?.maxFileBytes),
      ...given('--quota-bytes', fileLimits?.quotaBytes),
      ...given('--memory-per-account', memoryPerAccount),
      ...given('--google-issuer', google?.issuer.href),
      ...given('--google-client-id', google?.clientId),
      ...given('--public-url', google?.publicOrigin),
      ...(allowRegistration ? ['--allow-registration'] : []),
      ...(behindProxy ? ['--behind-proxy'] : []),
      ...(catalogues ? ['--catalogs', 'on'] : []),
      ...Object.entries(catalogues ?? {}).flatMap((named) => ['--catalog', named.join('=')]),
    ],
    {
      env: { ...process.env, ...(google && { WHEELHOUSE_GOOGLE_CLIENT_SECRET: google.clientSecret }) },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  // The runner may end by a test that never does.
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  const ended = once(child, 'exit')
  const said = text(child.stderr)
  let printed = ''
  const baseUrl = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      printed += piece
      const address = /^Service: (\S+)$/m.exec(printed)?.[1]
      if (address) resolve(address)
    })
    void said.then((words) => reject(new Error(words.trim())))
  })
  return {
    baseUrl,
    dataDir,
    outboxDir: path.join(dataDir, 'outbox'),
    /** As a service in this process; told twice, it no longer waits for worlds. */
    async close(hurry = false): Promise<void> {
      child.kill('SIGTERM')
      // The same signal twice may arrive as one.
      if (hurry) child.kill('SIGINT')
      await ended
    },
  }
}

/** A mail that is being written has a name that begins with a dot. */
export const isMail = (name: string): boolean => /^[^.].*\.eml$/.test(name)

/** The mails in an outbox, the oldest first. */
export async function mailsIn(outboxDir: string): Promise<string[]> {
  const names = (await readdir(outboxDir)).filter(isMail).sort((a, b) => a.localeCompare(b))
  return Promise.all(names.map((name) => readFile(path.join(outboxDir, name), 'utf8')))
}

/** The codes that mails hold, each on a line of its own. */
export const codesIn = (mails: readonly string[]): string[] =>
  mails.flatMap((mail) => /^ {4}(\d{6})$/m.exec(mail)?.[1] ?? [])

/** The routes that send a code, behind their answer where nobody may learn from it whether there is an account. */
const MAILING = /^POST \/auth\/(register|email\/resend|password\/forgot)$/

/**
 * Waits for the code of the last request that sends one: a program does not say when it has written it, nor does it wait
 * with its other mails.
 */
export function codesOf(outboxDir: string) {
  const count = async () => codesIn(await mailsIn(outboxDir)).length
  let before = 0
  return {
    async asks(route: string): Promise<void> {
      if (MAILING.test(route)) before = await count()
    },
    async arrived(): Promise<void> {
      await expect.poll(count).toBeGreaterThan(before)
    },
  }
}
