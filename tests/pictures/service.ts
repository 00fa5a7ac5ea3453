import { execFile, spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { programEnvironment, programFlags } from '../../build/scripts/project.js'

/** An account of a service, signed in. */
export interface Person {
  email: string
  token: string
}

/** A service as somebody runs it on another machine, with people who have an account there. */
export async function startService(data: string) {
  const file = join(import.meta.dirname, '../../out/main/service.js')
  const program = spawn(
    process.execPath,
    [...programFlags, file, '--data', data, '--port', '0', '--allow-registration'],
    { env: programEnvironment(), stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const ended = new Promise((resolve) => program.once('exit', resolve))
  const baseUrl = await addressOf(createInterface(program.stdout))
  const outbox = join(data, 'outbox')

  async function ask(method: string, route: string, body?: object, token?: string) {
    const response = await fetch(baseUrl + route, {
      method,
      headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${route}: ${response.status} ${text}`)
    return (text === '' ? null : JSON.parse(text)) as Record<string, string>
  }

  async function codeFor(email: string): Promise<string> {
    for (let tries = 0; tries < 100; tries++) {
      for (const name of await readdir(outbox).catch(() => [])) {
        const mail = name.endsWith('.eml') ? await readFile(join(outbox, name), 'utf8') : ''
        const code = mail.includes(`To: ${email}`) ? /^Subject: (\d{6}) /m.exec(mail)?.[1] : undefined
        if (code) return code
      }
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    throw new Error(`No mail to ${email} came within 10 s.`)
  }

  /** A promocode, made as whoever runs the service makes it. */
  async function promocode(...flags: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [...programFlags, file, 'promocodes', '--data', data, 'create', ...flags],
      { env: programEnvironment() },
    )
    return stdout.trim()
  }

  return {
    baseUrl,
    ask,
    promocode,
    async person(name: string): Promise<Person> {
      const email = `${name.toLowerCase()}@example.org`
      await ask('POST', '/auth/register', { name, email, password: `${name} likes long passwords` })
      const { token = '' } = await ask('POST', '/auth/email/confirm', { email, code: await codeFor(email) })
      return { email, token }
    },
    async close() {
      program.kill('SIGTERM')
      await ended
    },
  }
}

async function addressOf(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) {
    const address = /^Service: (\S+)$/.exec(line)?.[1]
    if (address) return address
  }
  throw new Error('The service ended before it said its address.')
}
