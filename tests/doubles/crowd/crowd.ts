import { readdir, readlink } from 'node:fs/promises'
import path from 'node:path'
import { Chance } from '../../faults/chance.ts'
import { CrowdModel, type Span } from './model.ts'

export interface CrowdOptions {
  /** Ends in `/api/v1`. */
  baseUrl: string
  /** A token for each person. */
  tokens: string[]
  /** What each of the writers of a person does, in steps. */
  steps: number
  seed: number
  /** Servers that are started, of all. */
  starts: number
}

interface Answer {
  status: number
  headers: Headers
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- what is read of it is checked
  body: any
  span: Span
}

interface Kept {
  id: string
  /** The configuration as it was read last. */
  tag?: string
  /** What was thrown away, by id of the trash. */
  trash: { id: string; path: string }[]
}

const PATHS = ['a.txt', 'b.txt', 'ü.txt'] as const

/** One person: what two writers do to servers, and what readers see meanwhile. */
class Person {
  readonly #model: CrowdModel
  readonly #options: CrowdOptions
  readonly #token: string
  readonly #owner: string
  readonly #servers: Kept[] = []
  readonly #left: { starts: number }
  #software: { id: string; version: string } | null = null
  /** A server that stays: whoever watches it goes on watching. */
  #stays = ''

  constructor(model: CrowdModel, options: CrowdOptions, token: string, left: { starts: number }) {
    this.#model = model
    this.#options = options
    this.#token = token
    this.#owner = token.slice(-6)
    this.#left = left
  }

  async begin(): Promise<void> {
    const [first] = (await this.#call('GET', '/software')).body.items
    const versions = (await this.#call('GET', `/software/${first.id}/versions`)).body.items
    this.#software = { id: first.id, version: versions[0].id }
    this.#stays = (await this.#create('stays'))?.id ?? ''
  }

  async write(chance: Chance, writer: number): Promise<void> {
    for (let step = 0; step < this.#options.steps; step++) {
      const kept = this.#servers.length > 0 ? chance.pick(this.#servers) : null
      const doing = chance.between(0, 11)
      if (!kept || (doing <= 2 && this.#servers.length < 8)) await this.#make(`${writer}.${step}`)
      else if (doing <= 4) await this.#rename(kept, `name ${writer}.${step}`, chance)
      else if (doing <= 6) await this.#writeFile(kept, chance.pick(PATHS), `${writer}.${step}`)
      else if (doing === 7) await this.#throwAway(kept, chance.pick(PATHS))
      else if (doing === 8) await this.#empty(kept)
      else if (doing === 9) await this.#startAndDelete(kept)
      else await this.#remove(kept, chance.next() < 0.3)
    }
  }

  async read(chance: Chance, goOn: () => boolean): Promise<void> {
    while (goOn()) {
      const kept = this.#servers.length > 0 ? chance.pick(this.#servers) : null
      const doing = kept ? chance.between(0, 9) : 0
      if (!kept || doing <= 2) await this.#readList(chance.between(1, 4))
      else if (doing === 3) await this.#readOne(kept)
      else if (doing === 4) await this.#readConfig(kept)
      else if (doing === 5) await this.#readFolder(kept)
      else if (doing === 6) await this.#readFile(kept, chance.pick(PATHS))
      else if (doing === 7) await this.#readTrash(kept)
      else if (doing === 8) await this.#listen(kept)
      else
        await this.#readRest(kept, chance.pick(['status', 'console', 'stats', 'files/jobs', 'files/limits']))
    }
  }

  /** Ends what runs, and deletes everything but the server that stays. */
  async end(): Promise<void> {
    for (const kept of [...this.#servers]) {
      await this.#call('POST', `/servers/power/${kept.id}`, { action: 'kill' })
      while (this.#servers.includes(kept)) await this.#remove(kept, false)
    }
  }

  async #make(name: string): Promise<void> {
    const made = await this.#create(name)
    if (made) this.#servers.push(made)
  }

  async #create(name: string): Promise<Kept | null> {
    const body = { name, memoryMb: 512, software: this.#software }
    const made = await this.#call('POST', '/servers', body)
    // A service may bound how many one person makes, and how fast.
    if (!this.#expect(made, 'create', [201, 409, 429]) || made.status !== 201) return null
    this.#model.created(this.#owner, made.body.id, name, made.span)
    return { id: made.body.id, trash: [] }
  }

  async #rename(kept: Kept, name: string, chance: Chance): Promise<void> {
    const ifMatch = chance.next() < 0.6 ? kept.tag : undefined
    const headers = ifMatch === undefined ? {} : { 'If-Match': ifMatch }
    const answer = await this.#call('PATCH', `/servers/config/${kept.id}`, { name }, headers)
    if (!this.#expect(answer, 'rename', [200, 404, 409, 412], kept)) return
    const tag = answer.headers.get('etag')
    if (answer.status === 200) this.#model.renamed(kept.id, name, String(tag), ifMatch, answer.span)
  }

  async #writeFile(kept: Kept, file: string, text: string): Promise<void> {
    const route = `/servers/files/content/${kept.id}?path=${encodeURIComponent(file)}`
    const answer = await this.#call('PUT', route, text)
    if (this.#expect(answer, 'write a file', [200, 404, 409], kept) && answer.status === 200)
      this.#model.wrote(kept.id, file, text, answer.span)
  }

  async #throwAway(kept: Kept, file: string): Promise<void> {
    const answer = await this.#call('POST', `/servers/files/delete/${kept.id}`, { paths: [file] })
    if (!this.#expect(answer, 'delete a file', [200, 404, 409], kept) || answer.status !== 200) return
    for (const { id, path } of answer.body.trash) {
      this.#model.wrote(kept.id, path, null, answer.span)
      this.#model.trashed(kept.id, id, true, answer.span)
      kept.trash.push({ id, path })
    }
    const [failed] = answer.body.results.filter(({ outcome }: { outcome: string }) => outcome === 'failed')
    if (failed && !['files.not-found', 'server.not-found'].includes(failed.error.code))
      this.#model.note(`A file could not be deleted: ${failed.error.code}.`)
  }

  async #empty(kept: Kept): Promise<void> {
    const ids = kept.trash.splice(0).map(({ id }) => id)
    if (ids.length === 0) return
    const answer = await this.#call('POST', `/servers/files/purge/${kept.id}`, { ids })
    if (!this.#expect(answer, 'purge', [204, 404, 409], kept) || answer.status !== 204) return
    for (const id of ids) this.#model.trashed(kept.id, id, false, answer.span)
  }

  /** Is started and deleted at once, which is refused, then ended; a deletion of somebody else comes between. */
  async #startAndDelete(kept: Kept): Promise<void> {
    if (this.#left.starts-- <= 0) return
    const power = (action: string) => this.#call('POST', `/servers/power/${kept.id}`, { action })
    const [started] = await Promise.all([power('start'), this.#remove(kept, false)])
    this.#expect(started, 'start', [202, 404, 409], kept)
    while (this.#servers.includes(kept)) {
      this.#expect(await power('kill'), 'kill', [202, 404, 409], kept)
      await this.#remove(kept, false)
    }
  }

  async #remove(kept: Kept, twice: boolean): Promise<void> {
    const { name } = (await this.#call('GET', `/servers/${kept.id}`)).body
    const remove = () =>
      this.#call('DELETE', `/servers/${kept.id}?confirm=${encodeURIComponent(String(name))}`)
    const answers = await Promise.all(twice ? [remove(), remove()] : [remove()])
    for (const answer of answers) {
      this.#expect(answer, 'delete', [204, 404, 409, 422], kept)
      if (answer.status === 204) this.#model.deleted(kept.id, answer.span)
    }
    if (answers.filter(({ status }) => status === 204).length > 1)
      this.#model.note(`${kept.id} was deleted twice.`)
    if (!answers.some(({ status }) => status === 204 || status === 404)) return
    const at = this.#servers.indexOf(kept)
    if (at >= 0) this.#servers.splice(at, 1)
  }

  async #readList(limit: number): Promise<void> {
    const seen: { id: string; name: string }[] = []
    const from = this.#model.tick()
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await this.#call('GET', `/servers?limit=${limit}${cursor && `&cursor=${cursor}`}`)
      if (!this.#expect(page, 'list', [200])) return
      seen.push(...page.body.items)
      cursor = page.body.nextCursor
    }
    this.#model.sawList(this.#owner, seen, { from, to: this.#model.tick() })
  }

  async #readOne(kept: Kept): Promise<void> {
    const answer = await this.#call('GET', `/servers/${kept.id}`)
    if (this.#expect(answer, 'one', [200, 404], kept) && answer.status === 200)
      this.#model.sawName(kept.id, answer.body.name, answer.span, 'one')
  }

  async #readConfig(kept: Kept): Promise<void> {
    const answer = await this.#call('GET', `/servers/config/${kept.id}`)
    if (!this.#expect(answer, 'config', [200, 404], kept) || answer.status !== 200) return
    kept.tag = String(answer.headers.get('etag'))
    this.#model.sawConfig(kept.id, answer.body.name, kept.tag, answer.span)
  }

  async #readFolder(kept: Kept): Promise<void> {
    const answer = await this.#call('GET', `/servers/files/${kept.id}`)
    if (!this.#expect(answer, 'folder', [200, 404], kept) || answer.status !== 200) return
    const names = answer.body.items.map(({ name }: { name: string }) => name)
    this.#model.sawFolder(kept.id, names, answer.span)
  }

  async #readFile(kept: Kept, file: string): Promise<void> {
    const route = `/servers/files/content/${kept.id}?path=${encodeURIComponent(file)}`
    const answer = await this.#call('GET', route)
    if (answer.status === 404 && answer.body.error.code === 'files.not-found')
      return this.#model.sawFile(kept.id, file, null, answer.span)
    if (this.#expect(answer, 'file', [200, 404], kept) && answer.status === 200)
      this.#model.sawFile(kept.id, file, answer.body, answer.span)
  }

  async #readTrash(kept: Kept): Promise<void> {
    const answer = await this.#call('GET', `/servers/files/trash/${kept.id}`)
    if (!this.#expect(answer, 'trash', [200, 404], kept) || answer.status !== 200) return
    const ids = answer.body.items.map(({ id }: { id: string }) => id)
    this.#model.sawTrash(kept.id, ids, answer.span)
  }

  async #readRest(kept: Kept, what: string): Promise<void> {
    const answer = await this.#call('GET', `/servers/${what}/${kept.id}`)
    this.#expect(answer, what, what === 'stats' ? [200, 404, 409] : [200, 404], kept)
  }

  /** Watches a server that may go at any time beside one that stays. */
  async #listen(kept: Kept): Promise<void> {
    const query = `servers=${kept.id},${this.#stays}&lines=${kept.id}&after=${kept.id}:1-0`
    const answer = await fetch(`${this.#options.baseUrl}/servers/events?${query}`, {
      headers: { Authorization: `Bearer ${this.#token}` },
    })
    this.#model.answers++
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of answer.body ?? []) {
      text += decoder.decode(chunk, { stream: true })
      if (answer.status === 200 && text.includes(`{"serverId":"${this.#stays}","status"`)) return
    }
    this.#model.note(`The event stream does not tell of the server that stays: ${answer.status} ${text}`)
  }

  /** Whether an answer is among those that can be right; one about a server tells whether that is there. */
  #expect(answer: Answer, what: string, statuses: number[], kept?: Kept): boolean {
    const { status, body, span } = answer
    const code = body?.error?.code as string | undefined
    if (!statuses.includes(status)) {
      this.#model.note(`${what} was answered with ${status} ${code ?? ''}: ${body?.error?.message ?? ''}`)
      return false
    }
    if (!kept) return true
    if (status === 404 && code !== 'server.not-found')
      this.#model.note(`${what}: of a server that is gone it is said: ${code} ${body?.error?.message}`)
    this.#model.sawServer(kept.id, status !== 404, span, what)
    return true
  }

  async #call(method: string, route: string, body?: unknown, headers = {}): Promise<Answer> {
    const from = this.#model.tick()
    const isText = typeof body === 'string'
    const response = await fetch(this.#options.baseUrl + route, {
      method,
      headers: {
        Authorization: `Bearer ${this.#token}`,
        ...(body !== undefined && !isText && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json')
    const span = { from, to: this.#model.tick() }
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? JSON.parse(text) : text,
      span,
    }
  }
}

/**
 * Several people make, rename, start and delete servers and write their files, each in two ways at once, while others of
 * the same accounts read everything. What was answered is judged by a model. In the end of each only one server is left.
 */
export async function crowd(options: CrowdOptions): Promise<CrowdModel> {
  const model = new CrowdModel()
  const left = { starts: options.starts }
  const people = options.tokens.map((token) => new Person(model, options, token, left))
  const chance = (of: string) => new Chance(options.seed, of)
  await Promise.all(people.map((person) => person.begin()))
  let writing = true
  const readers = people.flatMap((person, who) =>
    [0, 1].map((which) => person.read(chance(`reader ${who} ${which}`), () => writing)),
  )
  await Promise.all(
    people.flatMap((person, who) =>
      [0, 1].map((which) => person.write(chance(`writer ${who} ${which}`), which)),
    ),
  ).finally(() => (writing = false))
  await Promise.all(readers)
  await Promise.all(people.map((person) => person.end()))
  model.judge()
  return model
}

/** Ids of servers of which anything lies in the data folder, and what else is wrong with it. */
export async function traces(dataDir: string): Promise<{ ids: string[]; running: string[] }> {
  const ids = new Set<string>()
  for (const kind of ['servers', 'staging', 'trash', 'console', 'removed', 'run'])
    for (const name of await readdir(path.join(dataDir, kind)).catch(() => [])) ids.add(name.split('.')[0]!)
  const running: string[] = []
  for (const pid of await readdir('/proc').catch(() => [])) {
    const cwd = /^\d+$/.test(pid) ? await readlink(`/proc/${pid}/cwd`).catch(() => '') : ''
    if (cwd.startsWith(path.join(dataDir, 'servers'))) running.push(pid)
  }
  return { ids: [...ids].sort(), running }
}
