import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import path from 'node:path'

/** Between two looks, in milliseconds. */
const LOOK_EVERY = 10

/** Looks from outside, all the time, how many programs run at once in a folder and those below it. */
export class OneOfEach {
  readonly #most = new Map<string, number>()
  readonly #looking: NodeJS.Timeout

  /** Links would hide them: the folders are as the system names them. */
  constructor(folders: readonly string[]) {
    for (const folder of folders) this.#most.set(folder, 0)
    this.#looking = setInterval(() => this.#look(), LOOK_EVERY)
  }

  /** Folders in which more than one program ran. */
  get crowded(): string[] {
    return [...this.#most].filter(([, most]) => most > 1).map(([folder]) => folder)
  }

  /** Folders in which any program ever ran. */
  get used(): string[] {
    return [...this.#most].filter(([, most]) => most > 0).map(([folder]) => folder)
  }

  stop(): void {
    clearInterval(this.#looking)
  }

  #look(): void {
    const isBelow = (folder: string, one: string) => one === folder || one.startsWith(folder + path.sep)
    const now = foldersOfPrograms((one) => [...this.#most.keys()].some((folder) => isBelow(folder, one)))
    for (const [folder, most] of this.#most) {
      const count = now.filter((one) => isBelow(folder, one)).length
      if (count > most) this.#most.set(folder, count)
    }
  }
}

/** Of those that `wanted` names. Empty where the system doesn't tell. */
export function foldersOfPrograms(wanted: (folder: string) => boolean = () => true): string[] {
  try {
    return readdirSync('/proc').flatMap((pid) => (/^\d+$/.test(pid) ? folderOf(pid, wanted) : []))
  } catch {
    return []
  }
}

const HELPERS: ReadonlySet<string> = new Set(['sh', 'ip', 'unshare', 'setpriv'])

function folderOf(pid: string, wanted: (folder: string) => boolean): string[] {
  try {
    // First: most programs are none of ours, and to read what one is called costs several times as much.
    const folder = readlinkSync(`/proc/${pid}/cwd`)
    if (!wanted(folder)) return []
    // What prepares the start of a program runs beside it for a moment.
    return HELPERS.has(readFileSync(`/proc/${pid}/comm`, 'utf8').trim()) ? [] : [folder]
  } catch {
    return []
  }
}
