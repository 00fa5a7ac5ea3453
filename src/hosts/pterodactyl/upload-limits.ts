import { type HostRefusal, hostRefusal } from '../base/adapter.ts'

const MB = 1024 * 1024
/** Of a form beside its file, bytes: a path and how its parts begin. */
const FORM_MOST = 32 * 1024

/** How large a file may be that goes by a signed address. No call tells; the machine's refusal does. */
export class UploadLimits {
  /** MB, by machine. */
  readonly #known = new Map<string, number>()

  /** Bytes. */
  of(machine: string): number | null {
    const most = this.#known.get(machine)
    return most === undefined ? null : most * MB
  }

  /** Of a form with one file. Throws if that is larger than the machine takes. */
  check(machine: string, formBytes: number): void {
    const most = this.#known.get(machine)
    if (most !== undefined && formBytes - FORM_MOST > most * MB)
      throw hostRefusal(413, 'host.upload-size', { most })
  }

  /** `text`: what the machine said to a file that was too large. */
  refused(machine: string, text: string): HostRefusal | null {
    const most = Number(/maximum file upload size of (\d{1,7}) ?MB/i.exec(text)?.[1] ?? 0)
    if (most === 0) return null
    this.#known.set(machine, most)
    return hostRefusal(413, 'host.upload-size', { most })
  }
}
