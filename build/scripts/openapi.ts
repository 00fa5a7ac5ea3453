// npm run openapi [-- FILE]: writes docs/contract.md, and the OpenAPI document to out/openapi.json or FILE.
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { operations } from '../../src/contract/areas/index.ts'
import { openApiDocument } from '../../src/service/http/openapi.ts'
import { contractPage } from './contract-page.ts'
import { at, main, say } from './project.js'

await main(async () => {
  const page = at('docs/contract.md')
  await writeFile(page, await contractPage())
  const file = path.resolve(process.argv[2] ?? at('out/openapi.json'))
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, `${JSON.stringify(await openApiDocument(operations), null, 2)}\n`)
  say(`${page}\n${file}`)
  return 0
})
