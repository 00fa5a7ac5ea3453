// npm run openapi: writes docs/openapi.json and docs/contract.md from the declarations in src/contract/areas.
import { writeFileSync } from 'node:fs'
import { format } from 'prettier'
import { openApiDocument } from '../../src/service/http/openapi.ts'
import { contractPage } from './contract-page.ts'

const docs = new URL('../../docs/', import.meta.url)
const json = await format(JSON.stringify(openApiDocument()), { parser: 'json', printWidth: 110 })
writeFileSync(new URL('openapi.json', docs), json)
writeFileSync(new URL('contract.md', docs), await contractPage())
