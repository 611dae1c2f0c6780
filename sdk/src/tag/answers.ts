import { prepareAnswers } from "../answers/index.ts"

Object.assign(document.currentScript ?? {}, { prepareAnswers })
