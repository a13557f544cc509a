"""What holds for English alone: words and sentences, hedging cues, the places where a hedge can stand."""
