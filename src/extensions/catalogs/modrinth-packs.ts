import type { z } from 'zod'
import type { CatalogFile, CatalogPack, CatalogPackVersion, PackCatalog, PackFilter } from './pack-catalog.ts'
import type { CatalogClient } from '../requests/catalog-client.ts'
import { listOf } from '../requests/shapes.ts'
import { DAY_MS } from './catalog-api.ts'
import type { SearchedPage } from './extension-catalog.ts'
import { ModrinthApi } from './modrinth-api.ts'
import { catalogVersionOf, ModrinthProject, ModrinthVersion } from './modrinth-shapes.ts'
import { notFound } from './pack-refusals.ts'
import { line, some } from './tolerant.ts'

/** Loaders whose servers can be installed. */
const LOADERS = new Set(['fabric', 'quilt', 'neoforge', 'forge'])

const Version = ModrinthVersion.extend({
  game_versions: some(line(60), 200),
  loaders: some(line(60), 50),
})
type Version = z.output<typeof Version>

export class ModrinthPacks implements PackCatalog {
  readonly #api: ModrinthApi
  readonly base: string

  constructor(client: CatalogClient, base: string) {
    this.#api = new ModrinthApi(client, base, notFound)
    this.base = base
  }

  async search(
    query: string,
    { minecraft, software }: PackFilter,
    page: SearchedPage,
    signal: AbortSignal,
  ): Promise<{ items: CatalogPack[]; nextCursor: string | null }> {
    const facets = [
      ['project_type:modpack'],
      ['environment!=client_only'],
      ...(minecraft === null ? [] : [[`versions:${minecraft}`]]),
      // In Modrinth's search, loaders are categories.
      ...(software === null ? [] : [[`categories:${software}`]]),
    ]
    const { items, nextCursor } = await this.#api.search(query, facets, page, signal)
    const packs = items.map(({ hit, ...pack }) => ({ ...pack, url: pageOf(hit.project_id) }))
    return { items: packs, nextCursor }
  }

  async versions(project: string, signal: AbortSignal): Promise<CatalogPackVersion[]> {
    const key = this.#api.keyOf(project)
    const [title, versions] = await Promise.all([
      this.#title(key, signal),
      this.#api.entry(`project/${key}/version`, listOf(Version), signal),
    ])
    return versions
      .map((one) => this.#version(one, title))
      .sort((a, b) => (b.releasedAt ?? '').localeCompare(a.releasedAt ?? ''))
  }

  async version(id: string, signal: AbortSignal): Promise<CatalogPackVersion> {
    const path = `version/${this.#api.keyOf(id)}`
    const version = await this.#api.entry(path, Version, signal, { freshMs: DAY_MS })
    return this.#version(version, await this.#title(version.project_id, signal))
  }

  async filesBy(hashes: readonly string[], signal: AbortSignal): Promise<Map<string, CatalogFile>> {
    const { found, refusal } = await this.#api.versionsBy('version_files', hashes, signal, {}, DAY_MS)
    if (refusal) throw refusal
    const answers = await this.#api.projects(
      [...found.values()].map((one) => one.project_id),
      signal,
    )
    const known = answers.map((answer) => {
      if (answer.status === 'rejected') throw answer.reason
      return answer.value
    })
    const projects = new Map(known.flat().map((one) => [one.id, one]))
    return new Map(
      [...found].map(([hash, { id, project_id, version_number, name }]) => [
        hash,
        {
          project: project_id,
          isClientOnly: projects.get(project_id)?.server_side === 'unsupported',
          name: projects.get(project_id)?.title ?? name ?? id,
          version: version_number ?? name ?? id,
          url: `https://modrinth.com/project/${project_id}/version/${id}`,
        },
      ]),
    )
  }

  async #title(key: string, signal: AbortSignal): Promise<string> {
    return (await this.#api.entry(`project/${key}`, ModrinthProject, signal)).title
  }

  #version(version: Version, title: string): CatalogPackVersion {
    const { id, project, name, channel, releasedAt, file } = catalogVersionOf(version, title, this.base)
    const loaders = version.loaders.filter((one) => LOADERS.has(one))
    return {
      ...{ id, project, projectName: title, name, channel, releasedAt, file },
      minecraft: version.game_versions,
      software: loaders,
      url: `${pageOf(version.project_id)}/version/${version.id}`,
    }
  }
}

const pageOf = (project: string): string => `https://modrinth.com/modpack/${project}`
