import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { StartProblem } from '../../../host/start-problem.ts'
import { temporary } from '../../../host/temporary.fixture.ts'
import { readCatalogSettings, SETTINGS_FILE, withNamed } from './settings.ts'

const withFile = (text: string) => {
  const folder = temporary()
  writeFileSync(path.join(folder, SETTINGS_FILE), text)
  return folder
}

test('without a file every catalog has its own address', async () => {
  const settings = await readCatalogSettings(temporary())
  expect(settings).toMatchObject({
    paper: 'https://fill.papermc.io',
    mojang: 'https://piston-meta.mojang.com',
  })
})

test('a file and flags name others; a flag goes before the file, and slashes at the end are dropped', async () => {
  const folder = withFile('{"paper":"https://mirror.example/fill/","fabric":"https://mirror.example/fabric"}')
  expect(await readCatalogSettings(folder, { fabric: 'http://127.0.0.1:8000' })).toMatchObject({
    paper: 'https://mirror.example/fill',
    fabric: 'http://127.0.0.1:8000',
    purpur: 'https://api.purpurmc.org',
  })
})

test('a file of the former name is read where there is no other', async () => {
  const folder = temporary()
  writeFileSync(path.join(folder, 'catalogues.json'), '{"paper":"https://mirror.example/former"}')
  expect(await readCatalogSettings(folder)).toMatchObject({ paper: 'https://mirror.example/former' })
  writeFileSync(path.join(folder, SETTINGS_FILE), '{"paper":"https://mirror.example/fill"}')
  expect(await readCatalogSettings(folder)).toMatchObject({ paper: 'https://mirror.example/fill' })
})

test('the command line names several, one after the other, and what is wrong with one is said', () => {
  expect(withNamed('contact=me@example.org', withNamed('paper=https://mirror.example/fill'))).toEqual({
    paper: 'https://mirror.example/fill',
    contact: 'me@example.org',
  })
  expect(() => withNamed('papr=https://mirror.example')).toThrow(/names are mojang, paper,/)
  expect(() => withNamed('https://mirror.example')).toThrow(/has to be name=address/)
  expect(() => withNamed('__proto__=https://mirror.example')).toThrow(/has to be name=address/)
  expect(() => withNamed('paper=http://mirror.example')).toThrow(/paper has to be an address that begins/)
})

test.for([
  ['{', /catalogs\.json is not JSON\. Correct it/],
  ['[]', /must be a JSON object/],
  ['null', /must be a JSON object/],
  ['{"papr":"https://mirror.example"}', /no catalog named papr; known names are mojang, paper/],
  ['{"paper":"http://mirror.example"}', /paper has to be an address that begins with https/],
  ['{"paper":"https://me:secret@mirror.example"}', /paper has to be an address/],
  ['{"paper":"https://mirror.example?a"}', /paper has to be an address/],
  ['{"paper":7}', /paper must be text in quotation marks\./],
  ['{"contact":"me) evil"}', /contact has to be a web or mail address/],
] as const)('does not start with %s, and says why', async ([text, sentence]) => {
  const reading = readCatalogSettings(withFile(text))
  await expect(reading).rejects.toThrow(StartProblem)
  await expect(reading).rejects.toThrow(sentence)
})

test('does not start where something else lies in the place of the file', async () => {
  const folder = temporary()
  mkdirSync(path.join(folder, SETTINGS_FILE))
  await expect(readCatalogSettings(folder)).rejects.toThrow(/cannot be read/)
})
