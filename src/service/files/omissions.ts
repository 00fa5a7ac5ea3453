import type { Omission } from '../../contract/areas/values/file-values.ts'

export type OmissionReason = Extract<Omission['reason'], string>

const NAMED_MOST = 20
const END_CHARS = 150

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
