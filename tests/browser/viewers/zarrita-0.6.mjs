/** zarrita 0.6 as npm has it. */
export * from "zarrita-0.6";
