/** A mail to one person. */
export interface Mail {
  to: string
  subject: string
  text: string
  /** The same words as HTML, for programs that show that. */
  html?: string | undefined
  /** For how long it is of use to who gets it, in milliseconds. A code that comes later only puzzles. */
  goodForMs: number
}

/** What of a mail is sent. */
export type Written = Pick<Mail, 'to' | 'subject' | 'text' | 'html'>

/** Where mail goes. */
export interface Outbox {
  /** Rejects where no mail could be taken now. Asked before it is promised to anybody that one is sent. */
  ready(): Promise<void>
  /** Resolves when the mail is kept: it is not lost by a crash any more. */
  send(mail: Mail): Promise<void>
  /** Does the work of `send` for a mail that nobody is to get, so that what comes after it tells nothing. */
  feign(mail: Mail): Promise<void>
}

/** A mail as nodemailer takes it. `now`: milliseconds since 1970. */
export const asMessage = ({ to, subject, text, html }: Written, from: string, now: number) => ({
  from,
  // As an object: an address is one person, whatever commas it has.
  to: { name: '', address: to },
  subject,
  text,
  ...(html === undefined ? {} : { html }),
  date: new Date(now),
  // Nobody's out-of-office answer should come back.
  headers: { 'Auto-Submitted': 'auto-generated' },
})
