/** Whether a key belongs to a word that is being composed; some browsers tell the last one by this old code. */
export const isComposed = ({ isComposing, keyCode }: KeyboardEvent) => isComposing || keyCode === 229
