import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { Command, InvalidArgumentError } from 'commander'
import { AccountName } from '../../contract/areas/account.ts'
import { otherHolder } from '../../host/folder-claim.ts'
import { StartProblem } from '../../host/start-problem.ts'
import { hashPromocode, newPromocode } from '../hosting/promocodes/promocodes.ts'
import { isoTime, systemClock as clock } from '../base/clock.ts'
import { databaseIn } from '../base/service-folder.ts'
import { migrations } from '../store/migrations.ts'
import { type PromocodeRow, promocodesTable, type PromocodesTable } from '../store/promocodes.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** SQLite busy timeout in ms: the service may be running. */
const BUSY_MS = 5000

interface CreateFlags {
  name: string
  count: number
  uses: number
  servers: number
  memoryMb: number
  diskGb: number
  lasts?: number
  expires?: number
}

/** `promocodes create|list|revoke`. Works while the service runs. Throws StartProblem. */
export async function runPromocodes(argv: readonly string[]): Promise<void> {
  const program = new Command('wheelhouse-service promocodes')
    .description('Makes codes that let accounts have more.')
    .requiredOption('--data <folder>', "the service's folder for all data")
  const within = async (work: (table: PromocodesTable) => void) => {
    const { data } = program.opts<{ data: string }>()
    const host = await otherHolder(data)
    if (host !== null) throw new StartProblem('arguments', `The service runs on ${host}. Run this there.`)
    const db = openBeside(data)
    try {
      work(promocodesTable(db))
    } finally {
      db.close()
    }
  }
  program
    .command('create')
    .description('makes codes; they are printed once, and kept nowhere')
    .option('--name <words>', 'what people read beside what it gives', asName, 'Promotion')
    .option('--count <n>', 'how many codes', whole(1, 1000), 1)
    .option('--uses <n>', 'how many accounts can use each', whole(1, 1_000_000), 1)
    .option('--servers <n>', 'so many servers more', whole(1, 1000), 0)
    .option('--memory-mb <mb>', 'so much memory more, of all servers of the account', whole(1, 1_048_576), 0)
    .option('--disk-gb <gb>', 'so much more for the files of each server', whole(1, 100_000), 0)
    .option('--lasts <days>', 'how many days it lasts for an account; permanent by default', whole(1, 36_500))
    .option('--expires <days>', 'how many days the code can be used; permanent by default', whole(1, 36_500))
    .action((flags: CreateFlags) => within((table) => create(table, flags)))
  program
    .command('list')
    .description('shows what was made; the codes themselves are known to nobody')
    .action(() => within((table) => print(table.all().map(lineOf), 'There are no promocodes.')))
  program
    .command('revoke <id>')
    .description('ends a code by its ID from the list; accounts keep what it gave them')
    .action((id: string) =>
      within((table) => {
        if (!table.revoke(id, clock.now()))
          throw new StartProblem('arguments', `There is no promocode ${id}.`)
        process.stdout.write(`Revoked: ${id}\n`)
      }),
    )
  await program.parseAsync(argv)
}

function create(table: PromocodesTable, flags: CreateFlags): void {
  const { name, count, uses, servers, memoryMb, diskGb, lasts, expires } = flags
  if (servers + memoryMb + diskGb === 0) {
    throw new StartProblem('arguments', 'A code has to give something: --servers, --memory-mb or --disk-gb.')
  }
  const now = clock.now()
  for (let made = 0; made < count; made++) {
    const code = newPromocode()
    table.insert({
      ...{ id: randomUUID(), hash: hashPromocode(code), name, servers, memoryMb, createdAt: now },
      diskBytes: diskGb * 1024 ** 3,
      usesMost: uses,
      lastsMs: lasts === undefined ? null : lasts * DAY_MS,
      expiresAt: expires === undefined ? null : now + expires * DAY_MS,
    })
    process.stdout.write(`${code}\n`)
  }
}

function lineOf(row: PromocodeRow): string {
  const gives = [
    row.servers > 0 && `${row.servers} servers`,
    row.memoryMb > 0 && `${row.memoryMb} MB of memory`,
    row.diskBytes > 0 && `${row.diskBytes / 1024 ** 3} GB of disk`,
  ].filter(Boolean)
  const until = row.expiresAt === null ? '' : `, until ${isoTime(row.expiresAt).slice(0, 10)}`
  const lasts = row.lastsMs === null ? '' : ` for ${row.lastsMs / DAY_MS} days`
  const revoked = row.revokedAt === null ? '' : ', revoked'
  return `${row.id}  ${row.name}: ${gives.join(', ')}${lasts}; used ${row.uses} of ${row.usesMost}${until}${revoked}`
}

const print = (lines: readonly string[], none: string) =>
  process.stdout.write(`${lines.length > 0 ? lines.join('\n') : none}\n`)

/** Neither creates nor migrates the database. */
function openBeside(folder: string): DatabaseSync {
  const file = databaseIn(folder)
  if (!existsSync(file)) {
    throw new StartProblem(
      'arguments',
      `There is no service in ${folder}: no service.db was found. Start the service there once.`,
    )
  }
  const db = new DatabaseSync(file, { timeout: BUSY_MS })
  const version = Number(db.prepare('PRAGMA user_version').get()?.['user_version'])
  if (version === migrations.length) {
    db.exec('PRAGMA foreign_keys = ON')
    return db
  }
  db.close()
  throw new StartProblem(
    'arguments',
    version < migrations.length
      ? 'The database was written by an older version. Start the service once, which brings it up to date.'
      : 'The database was written by a newer version. Use that one.',
  )
}

function whole(least: number, most: number) {
  return (text: string): number => {
    const value = Number(text)
    if (/^\d{1,9}$/.test(text) && value >= least && value <= most) return value
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`)
  }
}

function asName(text: string): string {
  const name = AccountName.safeParse(text)
  if (name.success) return name.data
  throw new InvalidArgumentError('It must be one line of 1 to 80 characters.')
}
