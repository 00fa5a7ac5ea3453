import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { endContainersIn } from '../../tests/fixtures/docker-engine.ts'
import { gamePorts } from '../../tests/fixtures/game-ports.ts'
import type { AgingClock } from './base/clock.ts'
import { removeTree } from './files/safe-fs/remove-tree.ts'
import { startService, type RunningService, type ServiceOptions } from './service.ts'

/** In the run of `npm test -- --engines --long`, servers run in containers of this engine. */
const engine = inject('engine')

/** For `skipIf`: what is tested with it is of processes alone. */
export const inContainers = engine !== undefined

/** A temporary folder that is gone after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'service-'))
  // A program that is ending writes its last into a folder that is read already; what goes on writing fails the test.
  onTestFinished(() => removeTree(folder))
  if (engine) onTestFinished(() => endContainersIn(folder, engine.address))
  return folder
}

/** A clock that stands still until time goes by, or until somebody sets it. */
export function heldClock(start = Date.UTC(2026, 0, 1)): HeldClock {
  let [now, elapsed] = [start, 0]
  return {
    now: () => now,
    elapsed: () => elapsed,
    seen: () => elapsed,
    forward: (ms) => ((now += ms), (elapsed += ms)),
    set: (ms) => (now += ms),
  }
}

export interface HeldClock extends AgingClock {
  /** So many milliseconds go by. */
  forward(ms: number): void
  /** None goes by, but somebody sets the computer's clock ahead, or back. */
  set(ms: number): void
}

export interface Answer {
  status: number
  headers: Headers
  /** The JSON of the answer; null where it has none. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- what a test reads of it, it asserts
  body: any
}

export interface Call {
  token?: string
  body?: unknown
  headers?: Record<string, string>
}

export interface TestService {
  service: Pick<RunningService, 'dataDir' | 'outboxDir' | 'close'>
  baseUrl: string
  /** `method path` relative to the base address. */
  call(route: string, call?: Call): Promise<Answer>
  /** All mail written so far, oldest first. */
  mails(): Promise<string[]>
  /** The newest code in a mail. */
  code(): Promise<string>
  /** Registers, confirms and signs in; answers the token. */
  account(email: string, password?: string): Promise<string>
}

/** A mail that is being written has a name that begins with a dot. */
export const isMail = (name: string): boolean => /^[^.].*\.eml$/.test(name)

/** Cheap on purpose: what is tested with it is everything but the cost. */
const passwordCost = { log2N: 4, r: 8, p: 1 }

export const PASSWORD = 'correct horse battery'

/** Starts the real service on a free port; it is closed after the test. */
export async function startTestService(options: Partial<ServiceOptions> = {}): Promise<TestService> {
  const test = await openTestService({ ...options, dataDir: options.dataDir ?? (await temporaryFolder()) })
  onTestFinished(() => test.service.close(true))
  return test
}

/** Starts the real service in this process; who asks closes it. */
export async function openTestService(
  given: Partial<ServiceOptions> & { dataDir: string },
): Promise<TestService> {
  const service = await startService({
    ...{ firstGamePort: gamePorts(), allowRegistration: true, nodePath: process.execPath, passwordCost },
    engine: engine ?? null,
    ...given,
  })
  const { baseUrl } = service

  async function call(route: string, { token, body, headers = {} }: Call = {}): Promise<Answer> {
    const [method = '', target = ''] = route.split(' ')
    const response = await fetch(baseUrl + target, {
      method,
      headers: {
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    // A table is read as it stands; everything else is JSON, or nothing.
    const isTable = response.headers.get('content-type')?.startsWith('text/csv') ?? false
    const body_ = isTable ? text : text ? (JSON.parse(text) as unknown) : null
    return { status: response.status, headers: response.headers, body: body_ }
  }

  async function mails(): Promise<string[]> {
    await service.accounts.settled()
    const names = (await readdir(service.outboxDir)).filter(isMail).sort((a, b) => a.localeCompare(b))
    return Promise.all(names.map((name) => readFile(path.join(service.outboxDir, name), 'utf8')))
  }

  async function code(): Promise<string> {
    const codes = (await mails()).flatMap((mail) => /^ {4}(\d{6})$/m.exec(mail)?.[1] ?? [])
    const found = codes.at(-1)
    if (found === undefined) throw new Error('no mail holds a code')
    return found
  }

  return {
    service,
    baseUrl,
    call,
    mails,
    code,
    async account(email, password = PASSWORD) {
      await call('POST /auth/register', { body: { name: 'Ann', email, password } })
      const confirmed = await call('POST /auth/email/confirm', { body: { email, code: await code() } })
      return confirmed.body.token as string
    },
  }
}
