export type { AnswerReply, Claim, PlacedText, RelatedSection } from "./api/shapes.ts"
export {
  type CallOptions,
  type Client,
  type ClientOptions,
  createClient,
  type Question,
} from "./client/createClient.ts"
export { type ErrorKind, SensecheckError } from "./client/errors.ts"
export type { AnswerEvent } from "./client/readAnswer.ts"
