/** A mail to one person. */
export interface Mail {
  to: string
  subject: string
  text: string
  /** For how long it is of use to who gets it, in milliseconds. A code that comes later only puzzles. */
  goodForMs: number
}

/** Where mail goes. */
export interface Outbox {
  /** Rejects where no mail could be taken now. Asked before it is promised to anybody that one is sent. */
  ready(): Promise<void>
  /** Resolves when the mail is kept: it is not lost by a crash any more. */
  send(mail: Mail): Promise<void>
}

/** What every mail says about itself, whoever brings it. */
export const headers = {
  // Nobody's out-of-office answer should come back.
  'Auto-Submitted': 'auto-generated',
}
