import { describe, test } from 'vitest'
import { testStoreContract } from '../store-contract.fixture.ts'
import { NO_RESTIC, restic, resticStore } from './restic.fixture.ts'

if (restic) testStoreContract('restic', (folder) => resticStore(folder))
else describe('restic', () => test.skip(NO_RESTIC))
