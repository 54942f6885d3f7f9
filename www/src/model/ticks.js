// Chooses round numbers between two ends.
import { ticks as roundOnes } from "d3-array";

const LEAST = 1e-290; // between two numbers that have round ones between them: 1 over less is no number

/** About so many round numbers between two ends; of ends that lie closer than numbers tell apart, the ends. */
export const ticks = (low, high, wanted) => (Math.abs(high - low) / wanted >= LEAST || low === high ? roundOnes(low, high, wanted) : [low, high]);
