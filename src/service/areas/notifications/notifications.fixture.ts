import { onTestFinished } from 'vitest'
import type { TestService } from '../../service.fixture.ts'

interface RecordedEvent {
  event: string
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- what a test reads of it, it asserts
  data: any
}

/**
 * Opens the stream of an account, and waits for its first event. `next` takes the next event of a name; `ended` resolves
 * with the names of all that is left when it ends.
 */
export async function listen({ baseUrl }: Pick<TestService, 'baseUrl'>, token: string) {
  const closing = new AbortController()
  onTestFinished(() => closing.abort())
  const response = await fetch(`${baseUrl}/users/me/events`, {
    headers: { Authorization: `Bearer ${token}` },
    signal: closing.signal,
  })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  async function any(): Promise<RecordedEvent | null> {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end >= 0) {
        const [event = '', data = ''] = text.slice(0, end).split('\n')
        text = text.slice(end + 2)
        if (event.startsWith('event: '))
          return { event: event.slice('event: '.length), data: JSON.parse(data.slice('data: '.length)) }
        continue
      }
      const read = await reader.read()
      if (read.done) return null
      text += read.value
    }
  }
  async function next(
    name: string,
    fits: (event: RecordedEvent) => boolean = () => true,
  ): Promise<RecordedEvent> {
    for (;;) {
      const told = await any()
      if (!told) throw new Error(`The stream ended without ${name}`)
      if (told.event === name && fits(told)) return told
    }
  }
  async function ended(): Promise<string[]> {
    const names: string[] = []
    for (let told = await any(); told; told = await any()) names.push(told.event)
    return names
  }
  return { next, ended, first: await next('notification'), close: () => closing.abort() }
}

/** What an account has been told, the newest first. */
export async function listOf({ call }: Pick<TestService, 'call'>, token: string) {
  const { body } = await call('GET /notifications/me', { token })
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- what a test reads of it, it asserts
  return body.items as any[]
}

interface Person {
  token: string
  id: string
  email: string
}

/** An owner with a server, and somebody to share it with. */
export async function twoPeople(service: TestService, software = { id: 'demo', version: '1.20.4' }) {
  const { call } = service
  const person = async (name: string): Promise<Person> => {
    const email = `${name}@example.org`
    const token = await service.account(email)
    await call('PATCH /users/me', { token, body: { name } })
    return { token, email, id: String((await call('GET /users/me', { token })).body.id) }
  }
  const [owner, other] = [await person('Owner'), await person('Other')]
  const { body } = await call('POST /servers', {
    token: owner.token,
    body: { name: 'Mine', software, memoryMb: 512 },
  })
  const serverId = String(body.id)
  const invite = (scopes: readonly string[]) =>
    call(`POST /servers/access/${serverId}`, { token: owner.token, body: { email: other.email, scopes } })
  const offers = async () => (await call('GET /invitations', { token: other.token })).body.items
  const answer = async (accept: boolean) =>
    call(`POST /invitations/${(await offers())[0].id}`, { token: other.token, body: { accept } })
  const share = async (scopes: readonly string[]) => {
    await invite(scopes)
    await answer(true)
  }
  const power = (by: Person, action: string) =>
    call(`POST /servers/power/${serverId}`, { token: by.token, body: { action } })
  const command = (by: Person, text: string) =>
    call(`POST /servers/command/${serverId}`, { token: by.token, body: { command: text } })
  /** Resolves when the server has a status. */
  const until = async (wanted: string) => {
    const status = async () =>
      (await call(`GET /servers/status/${serverId}`, { token: owner.token })).body.status
    while ((await status()) !== wanted);
  }
  return { service, serverId, owner, other, invite, answer, share, power, command, until }
}
