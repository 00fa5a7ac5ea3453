import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { CatalogServer } from '../../../tests/doubles/catalogs/catalog-server.ts'
import { temporaryFolder } from '../service.fixture.ts'
import { startService } from '../service.ts'

test('a folder that a service made and that is none any more is told with its name at the next start', async () => {
  const dataDir = await temporaryFolder()
  const catalogs = await CatalogServer.start()
  const options = { dataDir, catalogs: catalogs.settings }
  await (await startService(options)).close()
  const folders = readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'copies')
    .map(({ parentPath, name }) => path.join(parentPath, name))
  expect(folders.length).toBeGreaterThan(15)
  for (const folder of folders) {
    renameSync(folder, `${folder}.aside`)
    writeFileSync(folder, '')
    await expect(startService(options), folder).rejects.toMatchObject({
      code: 'folder-not-writable',
      message: expect.stringContaining(`The folder ${folder} cannot be used: it is not a folder.`),
    })
    rmSync(folder)
    renameSync(`${folder}.aside`, folder)
  }
  await (await startService(options)).close()
  await catalogs.stop()
})
