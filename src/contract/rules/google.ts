/** The code of a refusal: the email of this identity has an account already, whose password shows that it is the same person. */
export const GOOGLE_PASSWORD_ASKED = 'account.google-password'

export const GOOGLE_ISSUER = 'https://accounts.google.com'

/** What people call the provider at an address; the address as it is where it is none. */
export function providerName(issuer: string): string {
  if (issuer === GOOGLE_ISSUER) return 'Google'
  return URL.canParse(issuer) ? new URL(issuer).host || issuer : issuer
}
