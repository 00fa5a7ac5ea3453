export interface Mail {
  to: string
  subject: string
  text: string
  html?: string | undefined
  /** Expiry in ms: late codes only confuse. */
  goodForMs: number
}

export type MailContent = Pick<Mail, 'to' | 'subject' | 'text' | 'html'>

export interface Outbox {
  /** Rejects if mail can't be accepted now. Check before promising one. */
  ready(): Promise<void>
  /** Resolves once the mail is safe from a crash. */
  send(mail: Mail): Promise<void>
  /** Takes as long as `send` but sends nothing, so timing reveals nothing. */
  feign(mail: Mail): Promise<void>
}

/** Nodemailer's format. `now`: Unix ms. */
export const asMessage = ({ to, subject, text, html }: MailContent, from: string, now: number) => ({
  from,
  // An object, so commas in the address don't add recipients.
  to: { name: '', address: to },
  subject,
  text,
  ...(html === undefined ? {} : { html }),
  date: new Date(now),
  // Suppress out-of-office replies.
  headers: { 'Auto-Submitted': 'auto-generated' },
})
