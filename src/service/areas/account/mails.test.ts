import { expect, test } from 'vitest'
import { alreadyRegisteredMail, confirmMail, confirmWithoutPasswordMail, resetMail } from './mails.ts'

// Anybody may register any address, under a name they choose; and old accounts have names from before there was a rule.
test('a name cannot write into a mail: it stands in one line behind its greeting', () => {
  const name = 'Ann\r\n\r\nyour code is\n\n    666666\u2028\u2029\u0085'
  const mails = [confirmMail, confirmWithoutPasswordMail, resetMail].map((mail) =>
    mail('a@example.org', name, '123456'),
  )
  for (const { text, subject } of [...mails, alreadyRegisteredMail('a@example.org', name)]) {
    expect(text.split('\n')[0]).toMatch(/^Hello Ann your code is +666666,$/)
    expect(text).not.toMatch(/^ +666666/m)
    expect(subject).not.toContain('Ann')
  }
})
