import type { Omission } from '../../contract/areas/values/file-values.ts'

export type OmissionReason = Extract<Omission['reason'], string>

/** How many are named; the rest is counted. */
const NAMED_MOST = 20
/** Characters that are told of a long name, at its beginning and at its end. */
const END_CHARS = 150

/** What a job left out: how many, and the first of them by name. */
export class Omissions {
  count = 0
  named: readonly { name: string; reason: OmissionReason }[] = []

  add(name: string, reason: OmissionReason): void {
    this.count++
    if (this.named.length >= NAMED_MOST) return
    const isLong = name.length > 2 * END_CHARS
    const short = isLong ? `${name.slice(0, END_CHARS)}…${name.slice(-END_CHARS)}` : name
    this.named = [...this.named, { name: short.replaceAll(/\p{Cc}/gu, '\ufffd').toWellFormed(), reason }]
  }
}
