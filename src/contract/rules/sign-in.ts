/** This email already has an account; its password must prove it is the same person. */
export const GOOGLE_PASSWORD_ASKED = 'account.google-password'

export const GOOGLE_ISSUER = 'https://accounts.google.com'

export function providerName(issuer: string): string {
  if (issuer === GOOGLE_ISSUER) return 'Google'
  return URL.canParse(issuer) ? new URL(issuer).host || issuer : issuer
}

/** Error codes for a missing code, and for a wrong or used one. */
export const SECOND_FACTOR_ASKED = 'auth.second-factor'
export const SECOND_FACTOR_WRONG = 'auth.second-factor-wrong'
