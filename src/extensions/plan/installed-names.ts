import type { InstalledExtension } from './plan.ts'

/** Ignores case, spaces and punctuation. */
export const plainName = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Among several matches, an enabled one wins. */
export class InstalledNames {
  readonly #byProject = new Map<string, InstalledExtension>()
  readonly #byName = new Map<string, InstalledExtension>()

  constructor(installed: readonly InstalledExtension[]) {
    const enabledFirst = [
      ...installed.filter(({ enabled }) => enabled),
      ...installed.filter(({ enabled }) => !enabled),
    ]
    for (const one of enabledFirst) {
      if (one.project !== null) set(this.#byProject, one.project, one)
      set(this.#byName, plainName(one.name), one)
    }
    // Own names win over provided ones.
    for (const one of enabledFirst) for (const name of one.provides) set(this.#byName, plainName(name), one)
  }

  ofProject(project: string | null): InstalledExtension | null {
    return (project === null ? null : this.#byProject.get(project)) ?? null
  }

  named(name: string | null): InstalledExtension | null {
    const plain = name === null ? '' : plainName(name)
    return (plain === '' ? null : this.#byName.get(plain)) ?? null
  }
}

function set<T>(map: Map<string, T>, key: string, value: T): void {
  if (key !== '' && !map.has(key)) map.set(key, value)
}
