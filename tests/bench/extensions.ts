import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Host } from '../faults/host.ts'
import { Servers } from '../faults/servers.ts'
import type { Stage } from '../faults/stage.ts'
import type { CatalogServer } from '../doubles/catalogs/catalog-server.ts'
import { ExtensionCatalogs } from '../doubles/catalogs/extension-catalogs.ts'
import { cpuSeconds } from './cpu.ts'
import { median } from './table.ts'

const PLUGINS = 500
const TIMES = 5

/** What a server with very many plugins costs who looks at them, and who asks for newer versions. */
export async function benchExtensions(catalogs: CatalogServer, stage: Stage, version: string) {
  const offered = new ExtensionCatalogs(catalogs)
  const host = await Host.start(stage, { catalogs: catalogs.settings, data: stage.at('extensions') })
  let service = await Servers.of(host)
  const id = await service.create({ software: 'paper', version })
  await service.until(id, ['offline'])
  const folder = path.join(service.folderOf(id), 'plugins')
  await mkdir(folder, { recursive: true })
  for (let at = 0; at < PLUGINS; at++) {
    const name = `Plugin${at}`
    const { versions } = await offered.offer({
      ...{ catalog: 'modrinth', name, games: [version] },
      versions: [{ name: '1.0' }, { name: '2.0' }],
    })
    await writeFile(path.join(folder, `${name}.jar`), versions[0]!.jar)
  }
  const timed = async (route: string): Promise<number> => {
    const began = performance.now()
    const { items } = (await service.ask('GET', `/servers/extensions/${route}`)) as { items: object[] }
    const took = performance.now() - began
    if (items.length !== PLUGINS) throw new Error(`${items.length} of ${PLUGINS} plugins were told.`)
    return took
  }
  const first = await timed(id)
  const listed: number[] = []
  for (let at = 0; at < TIMES; at++) listed.push(await timed(id))
  const hashed = await timed(`updates/${id}`)
  const [checked, waited]: [number[], number[]] = [[], []]
  for (let at = 0; at < TIMES; at++) {
    // Another start, at which the catalog has to be asked anew.
    await host.end()
    await rm(path.join(host.data, 'software', 'extensions'), { recursive: true, force: true })
    await host.start()
    service = await Servers.of(host)
    await timed(id)
    const before = await cpuSeconds(host.pid)
    waited.push(await timed(`updates/${id}`))
    checked.push(1000 * ((await cpuSeconds(host.pid)) - before))
  }
  await host.end()
  return [
    {
      name: `${PLUGINS} installed plugins listed`,
      value: median(listed),
      unit: 'ms',
      target: 300,
      note: `${listed.map((took) => took.toFixed(0)).join(' ')} ms; ${first.toFixed(0)} ms the first time, when the jars are read`,
    },
    {
      name: `update check of ${PLUGINS} plugins: processor time of the service`,
      value: median(checked),
      unit: 'ms',
      target: 500,
      note: `${checked.map((took) => took.toFixed(0)).join(' ')} ms; ${waited.map((took) => took.toFixed(0)).join(' ')} ms until it is answered, with a catalog on this computer; ${hashed.toFixed(0)} ms the first time, when the jars are hashed`,
    },
  ] as const
}
