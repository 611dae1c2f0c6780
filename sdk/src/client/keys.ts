import { SensecheckError } from "./errors.ts"

/** The headers that a key is sent with; a secret one is refused, and so is what cannot be a key. */
export function keyHeaders(key: string | undefined): Record<string, string> {
  if (key === undefined) return {}
  if (/^\s*(bearer\s+)?sk_/i.test(key)) throw new SensecheckError("secret-key")
  if (!/^[!-~]+$/.test(key)) throw new TypeError("`key` wants a publishable key, `pk_...`")
  return { Authorization: `Bearer ${key}` }
}
