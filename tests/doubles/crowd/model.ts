/** When something was under way, on a clock that counts the beginnings and ends of all calls of a crowd. */
export interface Span {
  from: number
  to: number
}

/**
 * A value that several write and read at once. What a reader may have seen is what some order of all calls explains, in
 * which calls that did not overlap keep theirs.
 */
class Register<T> {
  readonly #writes: { value: T; span: Span }[] = []

  constructor(value: T) {
    this.#writes.push({ value, span: { from: -1, to: -1 } })
  }

  write(value: T, span: Span): void {
    this.#writes.push({ value, span })
  }

  /** What may be seen within a span. */
  possible(read: Span): Set<T> {
    const seen = this.#writes.filter(
      ({ span }) =>
        span.from < read.to &&
        !this.#writes.some((other) => other.span.from > span.to && other.span.to < read.from),
    )
    return new Set(seen.map(({ value }) => value))
  }
}

/** What is known of one server: whether it is there, its name, its files, and what lies in its trash. */
class ServerModel {
  readonly there = new Register(false)
  readonly name: Register<string>
  /** By path; null: there is no such file. */
  readonly files = new Map<string, Register<string | null>>()
  /** By id of the trash. */
  readonly trash = new Map<string, Register<boolean>>()

  constructor(name: string) {
    this.name = new Register(name)
  }

  file(path: string): Register<string | null> {
    let file = this.files.get(path)
    if (!file) this.files.set(path, (file = new Register<string | null>(null)))
    return file
  }

  trashed(id: string): Register<boolean> {
    let trashed = this.trash.get(id)
    if (!trashed) this.trash.set(id, (trashed = new Register(false)))
    return trashed
  }
}

/**
 * What a crowd has done to a service, and what it was answered. Calls overlap, so answers are judged at the end, when all
 * that was written is known.
 */
export class CrowdModel {
  /** Answers that were judged. */
  answers = 0
  readonly wrong: string[] = []
  #clock = 0
  readonly #servers = new Map<string, { owner: string; model: ServerModel }>()
  readonly #seen: (() => void)[] = []
  /** Entity tag → the name it stood for. */
  readonly #tags = new Map<string, string>()
  readonly #usedTags = new Set<string>()

  tick(): number {
    return this.#clock++
  }

  note(sentence: string): void {
    this.wrong.push(sentence)
  }

  created(owner: string, id: string, name: string, span: Span): void {
    if (this.#servers.has(id)) this.note(`${id} was created twice.`)
    const model = new ServerModel(name)
    model.there.write(true, span)
    this.#servers.set(id, { owner, model })
  }

  deleted(id: string, span: Span): void {
    this.#of(id)?.there.write(false, span)
  }

  renamed(id: string, name: string, tag: string, ifMatch: string | undefined, span: Span): void {
    this.#of(id)?.name.write(name, span)
    this.sawConfig(id, name, tag, span)
    if (ifMatch === undefined) return
    if (this.#usedTags.has(ifMatch)) this.note(`Two changes went on from the same configuration ${ifMatch}.`)
    this.#usedTags.add(ifMatch)
  }

  wrote(id: string, path: string, text: string | null, span: Span): void {
    this.#of(id)?.file(path).write(text, span)
  }

  trashed(id: string, trashId: string, there: boolean, span: Span): void {
    this.#of(id)?.trashed(trashId).write(there, span)
  }

  sawServer(id: string, there: boolean, span: Span, what: string): void {
    this.#later(() => this.#check(this.#of(id)?.there.possible(span), there, `${what}: ${id} is there`))
  }

  sawConfig(id: string, name: string, tag: string, span: Span): void {
    const before = this.#tags.get(tag)
    if (before !== undefined && before !== name) this.note(`${tag} stands for “${before}” and for “${name}”.`)
    this.#tags.set(tag, name)
    this.sawName(id, name, span, 'config')
  }

  sawName(id: string, name: string, span: Span, what: string): void {
    this.#later(() => this.#check(this.#of(id)?.name.possible(span), name, `${what}: the name of ${id}`))
  }

  /** A list of all servers of somebody, page by page. */
  sawList(owner: string, seen: readonly { id: string; name: string }[], span: Span): void {
    this.#later(() => {
      const ids = seen.map(({ id }) => id)
      if (new Set(ids).size < ids.length) this.note(`A list names a server twice: ${ids.join(', ')}.`)
      for (const id of ids)
        if (this.#servers.get(id)?.owner !== owner) this.note(`A list names ${id}, which is not ${owner}'s.`)
      for (const [id, { owner: whose, model }] of this.#servers)
        if (whose === owner) this.#check(model.there.possible(span), ids.includes(id), `list: ${id} is there`)
    })
    for (const { id, name } of seen) this.sawName(id, name, span, 'list')
  }

  sawFolder(id: string, names: readonly string[], span: Span): void {
    this.#later(() => {
      for (const [path, file] of this.#of(id)?.files ?? []) {
        const possible = new Set([...file.possible(span)].map((text) => text !== null))
        this.#check(possible, names.includes(path), `folder of ${id}: ${path} is there`)
      }
    })
  }

  sawFile(id: string, path: string, text: string | null, span: Span): void {
    this.#later(() => this.#check(this.#of(id)?.file(path).possible(span), text, `${path} of ${id}`))
  }

  sawTrash(id: string, ids: readonly string[], span: Span): void {
    this.#later(() => {
      const known = this.#of(id)?.trash
      for (const one of ids) if (!known?.has(one)) this.note(`The trash of ${id} names an unknown item.`)
      for (const [one, item] of known ?? [])
        this.#check(item.possible(span), ids.includes(one), `trash of ${id}: ${one} is there`)
    })
  }

  /** Judges all that was seen. */
  judge(): void {
    for (const judge of this.#seen.splice(0)) judge()
  }

  /** The servers there are when nobody does anything any more. */
  remaining(): string[] {
    const now = { from: this.tick(), to: this.tick() }
    return [...this.#servers.keys()].filter((id) => this.#of(id)?.there.possible(now).has(true))
  }

  #of(id: string): ServerModel | undefined {
    return this.#servers.get(id)?.model
  }

  #later(judge: () => void): void {
    this.answers++
    this.#seen.push(judge)
  }

  #check<T>(possible: Set<T> | undefined, seen: T, what: string): void {
    if (possible?.has(seen)) return
    this.note(`${what}? Answered ${JSON.stringify(seen)}; possible ${JSON.stringify([...(possible ?? [])])}.`)
  }
}
