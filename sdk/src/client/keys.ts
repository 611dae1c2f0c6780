import { SensecheckError } from "./errors.ts"

/** The headers for a key; a secret or invalid key is rejected. */
export function keyHeaders(key: string | undefined): Record<string, string> {
  if (key === undefined) return {}
  if (/^\s*(bearer\s+)?sk_/i.test(key)) throw new SensecheckError("secret-key")
  if (!/^[!-~]+$/.test(key)) throw new TypeError("`key` must be a publishable key, `pk_...`")
  return { Authorization: `Bearer ${key}` }
}
