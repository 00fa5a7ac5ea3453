// node build/scripts/openapi.ts: writes docs/openapi.json from the declarations in src/contract/areas.
import { writeFileSync } from 'node:fs'
import { format } from 'prettier'
import { openApiDocument } from '../../src/service/openapi.ts'

const file = new URL('../../docs/openapi.json', import.meta.url)
writeFileSync(file, await format(JSON.stringify(openApiDocument()), { parser: 'json', printWidth: 110 }))
