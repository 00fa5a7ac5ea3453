import { expect, onTestFinished, test } from 'vitest'
import { fromBuffer } from 'yauzl'
import { CatalogServer } from './catalog-server.ts'
import { ExtensionCatalogs, hashesOf } from './extension-catalogs.ts'
import { pluginJar } from '../../fixtures/extension-jar.ts'

/** Names of the entries of a jar. */
const entriesOf = (jar: Buffer) =>
  new Promise<string[]>((resolve, reject) => {
    fromBuffer(jar, { lazyEntries: false }, (error, zip) => {
      if (error) return reject(error)
      const names: string[] = []
      zip.on('error', reject)
      zip.on('entry', ({ fileName }: { fileName: string }) => names.push(fileName))
      zip.on('end', () => resolve(names))
    })
  })

test.for([
  ['bukkit', 'plugin.yml'],
  ['paper', 'paper-plugin.yml'],
  ['velocity', 'velocity-plugin.json'],
  ['fabric', 'fabric.mod.json'],
  ['neoforge', 'META-INF/neoforge.mods.toml'],
] as const)('a jar of %s is a real one, and the same each time', async ([form, file]) => {
  const what = { name: 'Shop', version: '1.0', depends: ['Vault'], form }
  const jar = await pluginJar(what)
  expect(await entriesOf(jar)).toContain(file)
  expect(hashesOf(await pluginJar(what))).toEqual(hashesOf(jar))
})

test('what a catalog offers can be downloaded from it', async () => {
  const server = await CatalogServer.start()
  onTestFinished(() => server.stop())
  const catalogs = new ExtensionCatalogs(server)
  for (const catalog of ['modrinth', 'hangar'] as const) {
    const { versions } = await catalogs.offer({ catalog, name: 'Big Shop', versions: [{ name: '1.0' }] })
    const [version] = versions
    const answer = await fetch(version!.url)
    expect(hashesOf(Buffer.from(await answer.arrayBuffer()))).toEqual(version!.hashes)
  }
})
