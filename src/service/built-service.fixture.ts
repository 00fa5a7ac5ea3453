import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, TestRunner, type RunnerTestCase } from 'vitest'
import { at } from '../../build/scripts/project.js'
import type { ServiceOptions } from './service.ts'

/** Whether tests talk to what is built: the project `built` of vitest.config.ts. Otherwise they do to the source. */
export const isBuilt = process.env['SERVICE_UNDER_TEST'] === 'built'

/** The file that is started where a test starts the service as a program. */
export const serviceEntry = isBuilt
  ? at('out/main/service.js')
  : fileURLToPath(new URL('./main.ts', import.meta.url))

/** Leaves a test out where it holds what a program of its own cannot be given, such as a clock. */
export function fromSourceOnly(what: string): void {
  if (isBuilt)
    TestRunner.getCurrentTest<RunnerTestCase>().context.skip(`${what} cannot be given to a program`)
}

/** What can only be given within a process. */
const WITHIN = ['clock', 'limits', 'localSecret', 'bounds'] as const satisfies (keyof ServiceOptions)[]

/** Starts what is built with these options, as its command line has them. Rejects with its words where it ends. */
export async function startBuiltService(options: ServiceOptions) {
  for (const name of WITHIN) if (options[name]) fromSourceOnly(`“${name}”`)
  const { dataDir, host, port = 0, tls, firstGamePort, fileLimits, allowRegistration, behindProxy } = options
  const given = (flag: string, value: string | number | null | undefined) =>
    value === undefined || value === null ? [] : [flag, String(value)]
  const child = spawn(
    process.execPath,
    [
      serviceEntry,
      ...['--data', dataDir, '--port', String(port)],
      ...given('--host', host),
      ...given('--tls-cert', tls?.certFile),
      ...given('--tls-key', tls?.keyFile),
      ...given('--first-game-port', firstGamePort),
      ...given('--max-file-bytes', fileLimits?.maxFileBytes),
      ...given('--quota-bytes', fileLimits?.quotaBytes),
      ...(allowRegistration ? ['--allow-registration'] : []),
      ...(behindProxy ? ['--behind-proxy'] : []),
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
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
      if (hurry) child.kill('SIGTERM')
      await ended
    },
  }
}

/** A mail that is being written has a name that begins with a dot. */
export const isMail = (name: string): boolean => /^[^.].*\.eml$/.test(name)

/** The routes that send a mail, behind their answer where nobody may learn from it whether there is an account. */
const MAILING = /^POST \/auth\/(register|email\/resend|password\/forgot)$/

/** Waits for the mail of the last request that sends one: a program does not say when it has written it. */
export function mailsOf(outboxDir: string) {
  const names = async () => (await readdir(outboxDir)).filter(isMail)
  let before = 0
  return {
    async asks(route: string): Promise<void> {
      if (MAILING.test(route)) before = (await names()).length
    },
    async arrived(): Promise<void> {
      await expect.poll(async () => (await names()).length).toBeGreaterThan(before)
    },
  }
}
