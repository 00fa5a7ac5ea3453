import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { gamePorts } from '../../tests/fixtures/game-ports.ts'
import { environment, node24 } from '../scripts/project.js'

const ACCOUNT = { email: 'owner@example.com', password: 'a password that is long enough' }

/** The service as it lies in a package, running by itself. */
export interface PackedService {
  /** Asks it as its one account; rejects with what it answered where that is a refusal. */
  ask(route: string, body?: unknown): Promise<unknown>
  /** Ends it, and answers what it printed on its error stream. */
  end(): Promise<string>
}

/** Starts a service from a folder that holds nothing but what was packed. */
export async function startPackedService(program: string, data: string): Promise<PackedService> {
  const run = (more: string[]) =>
    spawn(node24(), [program, '--data', data, ...more], { env: environment(), cwd: data })
  const making = run(['--create-account', ACCOUNT.email])
  const refused = text(making.stderr)
  making.stdin.end(`${ACCOUNT.password}\n`)
  const [code] = (await once(making, 'close')) as [number]
  if (code !== 0) throw new Error(`The account could not be made: ${await refused}`)

  const service = run([...['--port', '0', '--first-game-port', String(gamePorts()), '--catalogs', 'on']])
  service.stdin.end()
  const ended = once(service, 'close')
  const said = text(service.stderr)
  const base = await new Promise<string>((resolve, reject) => {
    let printed = ''
    service.stdout.setEncoding('utf8').on('data', (piece: string) => {
      printed += piece
      const address = /^Service: (\S+)$/m.exec(printed)?.[1]
      if (address) resolve(address)
    })
    void said.then((words) => reject(new Error(`The packed service ended: ${words}`)))
  })
  let token = ''
  const ask = async (route: string, body?: unknown) => {
    const [method, path] = route.split(' ')
    const answer = await fetch(new URL(`/api/v1${path}`, base), {
      method: method!,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answered = await answer.text()
    if (!answer.ok) throw new Error(`${route}: ${answer.status} ${answered}`)
    return answered === '' ? null : (JSON.parse(answered) as unknown)
  }
  token = ((await ask('POST /auth/login', ACCOUNT)) as { token: string }).token
  return {
    ask,
    async end() {
      service.kill('SIGTERM')
      await ended
      return said
    },
  }
}
