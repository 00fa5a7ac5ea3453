import path from 'node:path'
import { Email } from '../../contract/areas/account.ts'
import { StartProblem } from '../../host/start-problem.ts'
import { secondFactorLostMail } from '../hosting/accounts/sign-in/mails.ts'
import { systemClock as clock } from '../base/clock.ts'
import type { Mail } from '../hosting/mail/mail.ts'
import type { MailFolder } from '../hosting/mail/mail-folder.ts'
import { waitingMails } from '../hosting/mail/waiting-mails.ts'
import { databaseIn, lockServiceFolder, prepareServiceFolder } from '../base/service-folder.ts'
import type { AccountRow } from '../store/accounts.ts'
import { openStore, type Store } from '../store/store.ts'

/** For people who lost their app and recovery codes. Ends all sign-ins; the mail is sent at the next start. */
export async function turnOffSecondFactorFromTerminal(folder: string, address: string): Promise<void> {
  const email = Email.safeParse(address)
  if (!email.success) throw new StartProblem('arguments', `"${address}" is not an email address.`)
  const dataDir = prepareServiceFolder(folder)
  const lock = await lockServiceFolder(dataDir)
  try {
    const store = await openStore(databaseIn(dataDir), { clock })
    try {
      const account = store.accounts.byEmail(email.data)
      if (!account) throw new StartProblem('arguments', `${email.data} has no account here.`)
      const wasOn = (store.secondFactors.of(account.id)?.turnedOnAt ?? null) !== null
      if (wasOn) await turnOff(store, account, waitingMails(path.join(dataDir, 'outbox'), clock))
      process.stdout.write(
        wasOn
          ? `Two-factor authentication of ${email.data} is off, and all sign-ins have ended. The password stays as it was.\n` +
              'The service passes an email about it on when it is started again.\n'
          : `${email.data} doesn't use two-factor authentication. Nothing was changed.\n`,
      )
    } finally {
      await store.close()
    }
  } finally {
    await lock.release()
  }
}

/** Queue the mail first: never turn it off silently. */
async function turnOff(store: Store, account: AccountRow, mails: MailFolder<Mail>): Promise<void> {
  const mail = account.email === null ? null : await mails.add(secondFactorLostMail(account.email, account))
  try {
    store.inOneStep(() => {
      store.secondFactors.remove(account.id)
      store.accounts.deleteTokens(account.id)
    })
  } catch (error) {
    if (mail !== null) await mails.remove(mail)
    throw error
  }
}
