/** Characters of what is chosen in a plan of extensions, of each kind: an address holds no more. */
export const PLAN_CHOICES_MOST = 5000
