import { LiveView } from '../core/live-view.svelte.ts'
import { isUnusual } from './software/software-versions.ts'

const LOADERS: readonly string[] = ['fabric', 'forge', 'neoforge', 'quilt']

/** Filters modpacks by what this service can install. Empty: any. */
export class PackFilter {
  readonly #software
  minecraft = $state('')
  loader = $state('')

  constructor(connectionId: string) {
    this.#software = new LiveView('software.list', { connectionId })
  }

  get #loaders() {
    return this.#software.value?.items.filter(({ id }) => LOADERS.includes(id)) ?? []
  }
  get loaders(): { id: string; name: string }[] {
    return this.#loaders.map(({ id, name }) => ({ id, name }))
  }
  get versions(): string[] {
    const usual = this.#loaders.map(({ versions }) => versions.filter((one) => !isUnusual(one)))
    const all = new Set(usual.sort((a, b) => b.length - a.length).flatMap((one) => one.map(({ id }) => id)))
    return [...all].sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
  }
  get query(): { minecraft?: string; software?: string } {
    return {
      ...(this.minecraft && { minecraft: this.minecraft }),
      ...(this.loader && { software: this.loader }),
    }
  }
}
