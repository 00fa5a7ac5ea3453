import path from 'node:path'
import { text } from 'node:stream/consumers'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { Email, Password } from '../../contract/areas/account.ts'
import { createAccounts } from '../hosting/accounts/accounts.ts'
import { Limiter } from '../http/limits/limiter.ts'
import { folderOutbox } from '../hosting/mail/folder-outbox.ts'
import { createPasswords } from '../hosting/accounts/sign-in/passwords.ts'
import { systemClock as clock } from '../base/clock.ts'
import { databaseIn, lockServiceFolder, prepareServiceFolder } from '../base/service-folder.ts'
import { StartProblem } from '../../host/start-problem.ts'
import { openStore } from '../store/store.ts'

/** For the first owner, when registration is closed. Stdin keeps the password out of process lists and history. */
export async function createAccountFromTerminal(folder: string, address: string): Promise<void> {
  const email = Email.safeParse(address)
  if (!email.success) throw new StartProblem('arguments', `"${address}" is not an email address.`)
  const dataDir = prepareServiceFolder(folder)
  const lock = await lockServiceFolder(dataDir)
  try {
    const password = Password.safeParse(await readPassword())
    if (!password.success) {
      throw new StartProblem(
        'arguments',
        password.error.issues[0]?.message ?? 'This password cannot be used.',
      )
    }
    const store = await openStore(databaseIn(dataDir), { clock })
    try {
      const accounts = createAccounts({
        signInsEnded: () => undefined,
        store,
        clock,
        log: pino({ enabled: false }),
        passwords: createPasswords(),
        limiter: new Limiter(() => clock.elapsed()),
        outbox: folderOutbox(path.join(dataDir, 'outbox'), clock),
      })
      const name = email.data.split('@')[0] ?? email.data
      const isNew = await accounts.create({ name, email: email.data, password: password.data })
      store.accounts.ownService(email.data)
      if (!isNew) {
        throw new StartProblem(
          'arguments',
          `${email.data} already has an account. Start the service and sign in.`,
        )
      }
      process.stdout.write(`Account created: ${email.data}. Start the service and sign in with it.\n`)
    } finally {
      await store.close()
    }
  } finally {
    await lock.release()
  }
}

async function readPassword(): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).replace(/\r?\n$/, '')
  process.stderr.write('Password (not shown): ')
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true })
  try {
    return await lines.question('')
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}
