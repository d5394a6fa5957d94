"""Alpha-beta with memory, the search of games of lines; and the plain minimax that it is compared with."""
