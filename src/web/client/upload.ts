import type { Outcome, Problem } from '../../contract/bridge/problem.ts'
import type { Transfer } from '../../contract/bridge/transfer-values.ts'
import type { Upload } from '../../contract/bridge/bridge.ts'
import type { PageKey } from './key.ts'

const AT_ONCE = 2
const GROUP_BYTES = 4 * 1024 * 1024
const GROUP_FILES = 200

// Importing `say` would load all sentences with the page.
const gone: Problem = {
  code: 'offline',
  message: 'The panel on this computer is not responding, so nothing was queued. Try again once it does.',
  text: { key: 'page.no-answer' },
  retryable: true,
}

interface SelectedFile {
  id: number
  file: File
}

interface HandoverState {
  /** Files main refused because they had already failed; a retry needs them. */
  refused: SelectedFile[]
  failed: boolean
  sending: boolean
  again: boolean
}

export class Uploads {
  readonly #page: string
  readonly #key: PageKey
  readonly #handedOver = new Map<string, HandoverState>()

  constructor(page: string, key: PageKey) {
    this.#page = page
    this.#key = key
  }

  /** Announces the files, then streams them. Answers once the transfer is queued. */
  async upload({ to, files, folders }: Upload): Promise<Outcome<{ transferId: string }>> {
    const announced = await this.#ask<{ transferId: string; itemIds: number[] }>(
      '/uploads',
      'POST',
      JSON.stringify({
        to,
        folders,
        page: this.#page,
        files: files.map(({ file, path }) => ({ path, size: file.size, modifiedAt: file.lastModified })),
      }),
    )
    if (!announced.ok) return announced
    const { transferId, itemIds } = announced.value
    const given = files.flatMap(({ file }, index) => {
      const id = itemIds[index]
      return id === undefined ? [] : [{ id, file }]
    })
    const handed: HandoverState = { refused: [], failed: false, sending: false, again: false }
    this.#handedOver.set(transferId, handed)
    void this.#sendAll(transferId, handed, given)
    return { ok: true, value: { transferId } }
  }

  follow(transfers: readonly Transfer[]): void {
    for (const { id, state } of transfers) {
      const handed = this.#handedOver.get(id)
      if (!handed) continue
      if (state === 'done' || state === 'cancelled') this.#handedOver.delete(id)
      else if (state === 'failed') handed.failed = true
      else if (handed.failed) {
        handed.failed = false
        handed.again = true
        if (!handed.sending) void this.#sendAll(id, handed, [])
      }
    }
  }

  async #sendAll(transferId: string, handed: HandoverState, files: readonly SelectedFile[]): Promise<void> {
    handed.sending = true
    let next = files
    do {
      if (handed.again) next = [...next, ...handed.refused.splice(0)]
      handed.again = false
      const groups = grouped(next)
      next = []
      const worker = async () => {
        for (let group = groups.shift(); group; group = groups.shift()) {
          if (await this.#send(transferId, handed, group)) continue
          // One of the files is unreadable or unwanted, so send them one by one.
          if (group.length > 1) for (const one of group) await this.#send(transferId, handed, [one])
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, worker))
    } while (handed.again)
    handed.sending = false
  }

  async #send(transferId: string, handed: HandoverState, group: SelectedFile[]): Promise<boolean> {
    const address = `/uploads/${transferId}/${group.map(({ id }) => id).join(',')}`
    const [first] = group
    const body = group.length === 1 && first ? first.file : new Blob(group.map(({ file }) => file))
    const sent = await this.#ask(address, 'PUT', body)
    if (sent.ok || group.length > 1) return sent.ok
    handed.refused.push(...group)
    // The browser aborts if a file changed after it was picked; tell main why nothing comes.
    if (sent.problem.code !== 'not-found') await this.#ask(address, 'DELETE', null)
    return false
  }

  async #ask<T>(address: string, method: string, body: BodyInit | null): Promise<Outcome<T>> {
    try {
      const answer = await fetch(address, {
        method,
        body,
        headers: { Authorization: `Bearer ${this.#key.value}` },
      })
      return answer.ok ? ((await answer.json()) as Outcome<T>) : { ok: false, problem: gone }
    } catch {
      return { ok: false, problem: gone }
    }
  }
}

function grouped(files: readonly SelectedFile[]): SelectedFile[][] {
  const groups: SelectedFile[][] = []
  let last: SelectedFile[] = []
  let bytes = 0
  for (const one of files) {
    const { size } = one.file
    if (last.length === 0 || bytes + size > GROUP_BYTES || last.length >= GROUP_FILES) {
      groups.push((last = []))
      bytes = 0
    }
    last.push(one)
    bytes += size
  }
  return groups
}
