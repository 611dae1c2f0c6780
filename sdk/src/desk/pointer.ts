/** Whether the reader points with a finger, and so has no keyboard but one that covers a part of the page. */
export const isFinger = () => matchMedia("(pointer:coarse)").matches
